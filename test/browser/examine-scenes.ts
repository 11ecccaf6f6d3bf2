import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { enterScene, openStages, type Stages, setColorScheme, setWidth } from './enter-scene.ts'
import { type Scene, scenes } from './scenes.ts'

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** A test of every scene: no violation that axe knows of, nothing that sticks out, no fault of the visit. */
export function examineScenes(locale: 'zh-CN' | 'en-US', chosen: readonly Scene[] = scenes): void {
  setDefaultTimeout(30_000)
  let stages: Stages
  beforeAll(async () => {
    stages = await openStages()
  })
  afterAll(() => stages.close())
  // One that only shows a part of another's page has nothing new; what opens on it is looked at in one language.
  const isNew = ({ part, act }: Scene) => (locale === 'zh-CN' ? !part || act : !part && !act)
  for (const scene of chosen.filter(isNew)) test(scene.name, () => examine(stages, scene, locale))
}

async function examine(stages: Stages, scene: Scene, locale: string): Promise<void> {
  const visit = await enterScene(stages, scene, locale)
  const { page } = visit
  await page.evaluate(source)
  const found: string[] = []
  for (const width of scene.widths ?? [1280, 390]) {
    await setWidth(page, width)
    for (const colorScheme of schemesFor(locale, width)) {
      await setColorScheme(page, colorScheme)
      // The dark page has the same elements in other colours, so only those are looked at again.
      const options: RunOptions = { resultTypes: ['violations'] }
      if (colorScheme === 'dark')
        options.runOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
      const { violations } = await page.evaluate(
        chosen => (window as unknown as { axe: typeof axe }).axe.run(document, chosen),
        options,
      )
      for (const { id, nodes } of violations)
        found.push(...nodes.map(node => `${width} ${colorScheme} ${id}: ${node.html.slice(0, 200)}`))
    }
  }
  expect(found).toEqual([])
  expect(visit.faults).toEqual([])
  await visit.close()
}

/** Colours are the same in every language and width, cards in every language; words are not. */
function schemesFor(locale: string, width: number): readonly ('light' | 'dark')[] {
  if (locale === 'zh-CN') return width === 390 ? ['light'] : ['light', 'dark']
  return width === 390 ? [] : ['light']
}
