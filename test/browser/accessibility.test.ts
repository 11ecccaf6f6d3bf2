import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { enterScene, openStages, type Stages, setColorScheme, setWidth } from './enter-scene.ts'
import { type Scene, scenes } from './scenes.ts'

setDefaultTimeout(30_000)

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

let stages: Stages

beforeAll(async () => {
  stages = await openStages()
})
afterAll(() => stages.close())

for (const locale of ['zh-CN', 'en-US']) {
  describe(locale, () => {
    // One that only shows a part of another's page has nothing new.
    for (const scene of scenes.filter(({ part, act }) => !part || act))
      test(scene.name, () => check(scene, locale))
  })
}

async function check(scene: Scene, locale: string): Promise<void> {
  const visit = await enterScene(stages, scene, locale)
  // A scene may wait for its screen.
  if (!visit) return console.log(`there is no ${scene.path} yet`)
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
