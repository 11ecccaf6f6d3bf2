import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import {
  enterScene,
  openStages,
  type Stages,
  setColorScheme,
  setWidth,
  switchToEnglish,
} from './enter-scene.ts'
import { type Scene, scenes } from './scenes.ts'

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

const LOCALE = 'zh-CN'

interface Look {
  readonly language: 'zh' | 'en'
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** All that axe knows when nothing is said. */
  readonly rules?: readonly string[] | undefined
}

/** What another theme can break: the dark page has the same elements in other colours. */
const colours = ['color-contrast', 'link-in-text-block']
/** What another width can break besides; the words were looked at when there was more room. */
const layout = [...colours, 'scrollable-region-focusable']

/** Every way a scene can be seen, in an order in which as little as possible changes from one to the next. */
const looks: readonly Look[] = [
  { language: 'zh', width: 1280, colorScheme: 'light' },
  { language: 'zh', width: 1280, colorScheme: 'dark', rules: colours },
  { language: 'zh', width: 390, colorScheme: 'dark', rules: colours },
  { language: 'zh', width: 390, colorScheme: 'light' },
  { language: 'en', width: 390, colorScheme: 'light', rules: layout },
  { language: 'en', width: 390, colorScheme: 'dark', rules: colours },
  { language: 'en', width: 1280, colorScheme: 'dark', rules: colours },
  { language: 'en', width: 1280, colorScheme: 'light' },
]
/** One that only shows a part of another's page has nothing new. */
const examined = scenes.filter(({ part, act }) => !part || act)

/** `npm run accessibility` looks at every scene in every way. */
const isWhole = process.env.TOLLGATE_TEST_WHOLE === '1'

/**
 * Otherwise two of the ways do: each scene in both languages, widths and themes, and of its neighbours each in
 * another two.
 */
function looksAt(scene: Scene): readonly Look[] {
  const { widths } = scene
  if (isWhole || widths) return looks.filter(({ width }) => widths?.includes(width) ?? true)
  const turn = examined.indexOf(scene) % 4
  const chosen = looks.filter(({ language, width, colorScheme }) => {
    const isChinese = language === 'zh'
    return (
      (isChinese === (width === 1280)) === turn < 2 &&
      (isChinese === (colorScheme === 'light')) === (turn % 2 === 0)
    )
  })
  return chosen.map((look, at) => ({ ...look, rules: at === 0 ? undefined : layout }))
}

/** Fewer than these would mean that scenes or looks were lost. */
const FEWEST_SCENES = 71
const FEWEST_LOOKS = 8

/**
 * A test of every scene of one part of several: in no look a violation that axe knows of, nothing that sticks
 * out, no fault of the visit.
 */
export function examineScenes(part: number, parts: number): void {
  let stages: Stages
  beforeAll(async () => {
    stages = await openStages()
  })
  afterAll(() => stages.close())
  // By turns, for scenes that stand together are about as heavy.
  const chosen = examined.filter((_, at) => at % parts === part - 1)
  const wanted = chosen.reduce((sum, scene) => sum + looksAt(scene).length, 0)
  let seen = 0
  for (const scene of chosen)
    test(scene.name, async () => {
      seen += await examine(stages, scene)
    })
  test(`${wanted} looks at ${chosen.length} of ${examined.length} scenes`, () => {
    expect(seen).toBe(wanted)
    expect(examined.length).toBeGreaterThanOrEqual(FEWEST_SCENES)
    expect(looks.length).toBe(FEWEST_LOOKS)
  })
}

async function examine(stages: Stages, scene: Scene): Promise<number> {
  const visit = await enterScene(stages, scene, LOCALE)
  const { page } = visit
  await page.evaluate(source)
  await page.evaluate(gatherOpen)
  const open = await countOpen(page)
  const found: string[] = []
  for (const [at, look] of looksAt(scene).entries()) {
    if (look.language === 'en') await switchToEnglish(page)
    await setWidth(page, look.width)
    await setColorScheme(page, look.colorScheme)
    // What goes away by itself, as a toast does, is brought back; nothing else may.
    let still = await countOpen(page)
    if (still < open) {
      await scene.act?.(page)
      still = await countOpen(page)
    }
    expect(still).toBeGreaterThanOrEqual(open)
    // The page below something open has a scene of its own: after the first look it is left out.
    found.push(...(await violationsOf(page, look, at > 0 && open > 0)))
  }
  expect(found).toEqual([])
  expect(visit.faults).toEqual([])
  await visit.close()
  return looksAt(scene).length
}

async function violationsOf(page: Page, look: Look, onlyOpen: boolean): Promise<string[]> {
  const { language, width, colorScheme, rules } = look
  const options: RunOptions = { resultTypes: ['violations'] }
  if (rules) options.runOnly = { type: 'rule', values: [...rules] }
  const { violations } = await page.evaluate(
    async ({ chosen, narrowed }) => {
      const { axe, findOpen } = window as unknown as Tools
      return axe.run(narrowed ? { include: findOpen() } : document, chosen)
    },
    { chosen: options, narrowed: onlyOpen },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${language} ${width} ${colorScheme} ${id}: ${html.slice(0, 200)}`),
  )
}

interface Tools {
  readonly axe: typeof axe
  findOpen(): Element[]
}

/** Dialogs, menus and messages that lie over the page. */
function gatherOpen(): void {
  const findOpen = () =>
    [...document.querySelectorAll('[role=dialog], [role=menu], [role=alert]')].filter(
      one => one.checkVisibility() && !one.closest('main'),
    )
  Object.assign(window, { findOpen })
}

/** A message that was counted is as if under the pointer from then on: it does not go while it is looked at. */
function countOpen(page: Page): Promise<number> {
  return page.evaluate(() => {
    const open = (window as unknown as Tools).findOpen()
    const enter = () => new MouseEvent('mouseover', { bubbles: true, relatedTarget: document.body })
    for (const one of open) if (one.role === 'alert') one.dispatchEvent(enter())
    return open.length
  })
}
