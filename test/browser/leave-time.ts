import type { Page } from 'playwright-core'

/**
 * Until the page is loaded anew, what it lets pass after some seconds takes twenty times as long: who wants to take
 * back a delete has six seconds for it, and who reads that all went well three, which on a slow machine are over before
 * the button or the word is found.
 */
export async function leaveTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    const wait = window.setTimeout
    const LONG_MS = 3000
    const patient = (act: TimerHandler, ms = 0, ...rest: unknown[]) =>
      wait(act, ms < LONG_MS ? ms : ms * 20, ...rest)
    Object.assign(window, { setTimeout: patient })
  })
}
