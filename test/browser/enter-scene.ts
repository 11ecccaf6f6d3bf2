import type { Page } from 'playwright-core'
import type { Client } from '../client.ts'
import { openStage, type Stage, type Visit } from './harness.ts'
import { fillStage } from './lived-in.ts'
import type { Scene } from './scenes.ts'

type ColorScheme = 'light' | 'dark'

/** Where scenes play: an installation that has been lived in, and one that is fresh. */
export interface Stages {
  readonly livedIn: Stage
  readonly fresh: Stage
  readonly user: Client
  close(): Promise<void>
}

export async function openStages(): Promise<Stages> {
  const livedIn = await openStage()
  const fresh = await openStage('fresh', livedIn.browser).catch(async error => {
    await livedIn.close()
    throw error
  })
  const close = async () => {
    await fresh.close()
    await livedIn.close()
  }
  const { user } = await fillStage(livedIn).catch(async error => {
    await close()
    throw error
  })
  return { livedIn, fresh, user, close }
}

/** The visit once the scene stands. */
export async function enterScene(
  stages: Stages,
  scene: Scene,
  locale: string,
  width?: number,
): Promise<Visit> {
  const { name, path, act, as, fresh } = scene
  const visit = await (fresh ? stages.fresh : stages.livedIn).visit({
    locale,
    colorScheme: 'light',
    ...(as === 'root' ? { asRoot: true } : {}),
    ...(as === 'user' ? { as: stages.user } : {}),
  })
  const { page } = visit
  // Some columns are shown by the room there is at first.
  if (width !== undefined) await setWidth(page, width)
  await page.goto(path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('[data-loading]'))
  if (name !== 'not-found' && (await showsNotFound(page))) {
    await visit.close()
    throw new Error(`there is no screen at ${path}`)
  }
  await act?.(page)
  return visit
}

function showsNotFound(page: Page): Promise<boolean> {
  return page.evaluate(() => document.querySelector('main [data-sign="404"]') !== null)
}

export async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
  // Nothing may stick out sideways.
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
}

export async function setColorScheme(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(
    scheme => document.documentElement.dataset.mantineColorScheme === scheme,
    colorScheme,
  )
}

/** By the page's own menu, which lies under whatever is open: so it is pressed from inside. */
export async function switchToEnglish(page: Page): Promise<void> {
  const press = (selector: string) =>
    page.waitForFunction(wanted => {
      const found = document.querySelector<HTMLElement>(wanted)
      found?.click()
      return found !== null
    }, selector)
  if ((await page.evaluate(() => document.documentElement.lang)) === 'en') return
  await press('header button[aria-label="语言"]')
  await press('header [role=menuitemradio][lang=en]')
  await page.waitForFunction(
    () =>
      document.documentElement.lang === 'en' &&
      !document.querySelector('header [role=menuitemradio][lang=en]'),
  )
}
