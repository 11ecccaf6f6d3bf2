// npm run screens: a picture of every scene in both languages, both themes and two widths, in .cache/screens.
//   --only token,log   only these scenes; a name ending in * stands for all that begin so
//   --lang zh|en   --theme light|dark   --width 1280|768|390|1920

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { enterScene, openStages, type Stages, setColorScheme, setWidth } from './enter-scene.ts'
import { type Scene, scenes } from './scenes.ts'

const folder = join(import.meta.dir, '../../.cache/screens')
const TALLEST = 2400
const locales = { zh: 'zh-CN', en: 'en-US' } as const

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { only: text, lang: text, theme: text, width: text } })
const languages = choose(['zh', 'en'] as const, values.lang, '--lang')
const themes = choose(['light', 'dark'] as const, values.theme, '--theme')
const usual = ['1280', '390'] as const
const widths = (values.width ? choose([...usual, '768', '1920'], values.width, '--width') : usual).map(Number)
const wanted = scenes.filter(
  ({ name }) => !values.only || values.only.split(',').some(one => matches(name, one)),
)
if (wanted.length === 0)
  fail(`no scene is called ${values.only}; there are ${scenes.map(s => s.name).join(', ')}`)

mkdirSync(folder, { recursive: true })
const stages = await openStages()
let taken = 0
let failed = 0
try {
  for (const scene of wanted) taken += await takeScene(stages, scene)
} finally {
  await stages.close()
}
console.log(`${taken} pictures in ${folder}${failed > 0 ? `, ${failed} scenes failed` : ''}`)
process.exit(failed > 0 ? 1 : 0)

async function takeScene(where: Stages, scene: Scene): Promise<number> {
  let count = 0
  const suitable = widths.filter(one => scene.widths?.includes(one) ?? true)
  for (const language of languages) {
    try {
      const visit = await enterScene(where, scene, locales[language], suitable[0])
      for (const width of suitable) count += await takeThemes(visit.page, scene, language, width)
      for (const fault of visit.faults) console.log(`${scene.name} (${language}): ${fault}`)
      await visit.close()
    } catch (error) {
      failed++
      console.log(`${scene.name} (${language}): ${error instanceof Error ? error.message : error}`)
    }
  }
  return count
}

async function takeThemes(
  page: Page,
  { name, part }: Scene,
  language: string,
  width: number,
): Promise<number> {
  await setWidth(page, width)
  for (const theme of themes) {
    await setColorScheme(page, theme)
    const path = join(folder, `${name}-${language}-${theme}-${width}.png`)
    if (part) await page.locator(part).screenshot({ path })
    else await takePicture(page, path)
  }
  return themes.length
}

/** The whole page unless something lies over it. */
async function takePicture(page: Page, path: string): Promise<void> {
  const { width, height, covered } = await page.evaluate(() => ({
    width: innerWidth,
    height: document.documentElement.scrollHeight,
    covered: document.querySelector('[role=dialog], [role=menu], [role=alert]') !== null,
  }))
  if (covered) await page.screenshot({ path })
  else
    await page.screenshot({
      path,
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) },
    })
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function choose<T extends string>(all: readonly T[], asked: string | undefined, flag: string): readonly T[] {
  if (asked === undefined) return all
  const found = all.filter(one => one === asked)
  return found.length > 0 ? found : fail(`${flag} is one of ${all.join(', ')}`)
}

function fail(words: string): never {
  console.error(words)
  process.exit(2)
}
