import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { openStage, type Stage } from './harness.ts'

setDefaultTimeout(30_000)

const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

interface Scene {
  name: string
  path: string
  asRoot?: boolean
  widths?: number[]
  /** Opens what the scene is about. */
  act?(page: Page): Promise<void>
}

const scenes: Scene[] = [
  { name: 'home', path: '/' },
  { name: 'about', path: '/about', asRoot: true },
  { name: 'login', path: '/login?expired=true' },
  { name: 'set-up, already done', path: '/setup' },
  { name: 'not found', path: '/no/such/page' },
  { name: 'system settings', path: '/setting?tab=system', asRoot: true },
  { name: 'other settings', path: '/setting?tab=other', asRoot: true },
  {
    name: 'a menu',
    path: '/about',
    act: async page => {
      await page.locator('header button[aria-haspopup=menu]').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'the palette',
    path: '/about',
    asRoot: true,
    act: async page => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'the menu of small screens',
    path: '/about',
    asRoot: true,
    widths: [390],
    act: async page => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator('header button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'the list of keys',
    path: '/about',
    act: async page => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'a toast',
    path: '/login',
    act: async page => {
      await page.getByRole('main').locator('button[type=submit]').click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'faults and a question in settings',
    path: '/setting?tab=system',
    asRoot: true,
    act: async page => {
      await page.locator('input[name=ServerAddress]').fill('nonsense')
      await page.locator('textarea[name=TopupGroupRatio]').fill('{')
      await page.locator('input[name=PasswordLoginEnabled]').uncheck({ force: true })
      await page.keyboard.press('Control+s')
      await page.getByRole('dialog').waitFor()
    },
  },
]

let stage: Stage
let freshStage: Stage

beforeAll(async () => {
  ;[stage, freshStage] = await Promise.all([openStage(), openStage('fresh')])
})
afterAll(() => Promise.all([stage.close(), freshStage.close()]))

for (const locale of ['zh-CN', 'en-US']) {
  describe(locale, () => {
    for (const scene of scenes) test(scene.name, () => check(stage, scene, locale))
    test('set-up', () => check(freshStage, { name: 'set-up', path: '/setup' }, locale))
    test('home before set-up', () => check(freshStage, { name: 'home', path: '/' }, locale))
  })
}

async function check(
  where: Stage,
  { path, asRoot, widths = [1280, 390], act }: Scene,
  locale: string,
): Promise<void> {
  const visit = await where.visit({ locale, colorScheme: 'light', ...(asRoot ? { asRoot } : {}) })
  const { page } = visit
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('main [role=status]'))
  await act?.(page)
  await page.evaluate(source)
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
    // Nothing may stick out sideways.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForFunction(
        scheme => document.documentElement.dataset.mantineColorScheme === scheme,
        colorScheme,
      )
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
