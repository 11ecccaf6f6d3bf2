import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { enterScene, openStages, type Stages, setColorScheme, setWidth } from './enter-scene.ts'
import { type Scene, scenes } from './scenes.ts'

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** A test of every scene: no violation that axe knows of, nothing that sticks out, no fault of the visit. */
export function examineScenes(locale: 'zh-CN' | 'en-US'): void {
  setDefaultTimeout(30_000)
  let stages: Stages
  beforeAll(async () => {
    stages = await openStages()
  })
  afterAll(() => stages.close())
  // One that only shows a part of another's page has nothing new.
  for (const scene of scenes.filter(({ part, act }) => !part || act))
    test(scene.name, () => examine(stages, scene, locale))
}

async function examine(stages: Stages, scene: Scene, locale: string): Promise<void> {
  const visit = await enterScene(stages, scene, locale)
  const { page } = visit
  await page.evaluate(source)
  const found: string[] = []
  for (const width of scene.widths ?? [1280, 390]) {
    await setWidth(page, width)
    // Colours and cards are the same in every language, words are not.
    if (locale !== 'zh-CN' && width === 390) continue
    for (const colorScheme of locale === 'zh-CN' ? (['light', 'dark'] as const) : (['light'] as const)) {
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
