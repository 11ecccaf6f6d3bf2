import type { Browser, BrowserContext, BrowserContextOptions, Dialog, Page } from 'playwright-core'
import type { Client } from '../client.ts'
import { noonZone } from '../noon-zone.ts'

export interface Visit {
  readonly page: Page
  /** Console errors, refused or failed requests, policy violations: a good visit has none. */
  readonly faults: string[]
  /** Faults that this visit provokes on purpose. */
  expectFault(pattern: RegExp): void
  close(): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** Starts the visit logged in as root. */
  asRoot?: boolean
  /** Starts the visit logged in as whom this client is. */
  as?: Client
}

export interface Visits {
  open(options: VisitOptions): Promise<Visit>
  close(): Promise<void>
}

/** A profile of the browser and its one page, which is at an address without a script. */
interface Profile {
  readonly context: BrowserContext
  readonly page: Page
  readonly seen: string[]
  readonly refuse: (dialog: Dialog) => void
  /** Something was done to it that cannot be taken back. */
  isSpent: boolean
}

const WINDOW = { width: 1280, height: 800 }
const BLANK = '/healthz'

/**
 * A profile that was left serves the next visit of its kind, with the console's files in its cache and nothing
 * else: in a new one the console would be loaded and compiled again, which is most of what a short visit costs.
 */
export function keepVisits(browser: Browser, url: string, root: () => Promise<Client>): Visits {
  const idle = new Map<string, Profile[]>()
  return {
    async open({ asRoot, as, viewport = WINDOW, colorScheme = null, locale = 'zh-CN', ...others }) {
      const lasting = { locale, timezoneId: noonZone, ...others }
      const kind = JSON.stringify(lasting)
      const profile = idle.get(kind)?.pop() ?? (await makeProfile(browser, url, { viewport, ...lasting }))
      const { page, seen } = profile
      const client = as ?? (asRoot ? await root() : undefined)
      if (client) await logIn(profile, client, url)
      if (viewport) await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, media: null })
      seen.length = 0
      const expected: RegExp[] = []
      return {
        page,
        get faults() {
          return seen.filter(fault => !expected.some(pattern => pattern.test(fault)))
        },
        expectFault: pattern => expected.push(pattern),
        async close() {
          // An answer that a scene was about to change belongs to nobody any more.
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          if (profile.isSpent || page.isClosed() || profile.context.pages().length > 1)
            return profile.context.close()
          await empty(profile)
          idle.set(kind, [...(idle.get(kind) ?? []), profile])
        },
      }
    },
    async close() {
      for (const { context } of [...idle.values()].flat()) await context.close()
    },
  }
}

async function makeProfile(browser: Browser, url: string, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    ...options,
  })
  // What went well is told for three seconds, which on a busy machine are over before anybody reads it.
  await context.addInitScript(() => {
    const wait = window.setTimeout
    const patient = (act: TimerHandler, ms = 0, ...rest: unknown[]) =>
      wait(act, ms === 3000 ? 10_000 : ms, ...rest)
    Object.assign(window, { setTimeout: patient })
  })
  // Well within a test's own limit, so that what did not come is named.
  context.setDefaultTimeout(180_000)
  const page = await context.newPage()
  const seen: string[] = []
  const refuse = (dialog: Dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  }
  page.on('dialog', refuse)
  watch(page, url, seen)
  insist(page)
  const profile = { context, page, seen, refuse, isSpent: false }
  noticeLasting(profile)
  await page.goto(BLANK)
  return profile
}

async function logIn({ context, page }: Profile, client: Client, url: string): Promise<void> {
  const { json } = await client.get('/api/user/self')
  await context.addCookies([{ name: 'session', value: client.cookie ?? '', url }])
  await page.evaluate(user => localStorage.setItem('user', user), JSON.stringify(json.data))
}

async function empty({ context, page, refuse }: Profile): Promise<void> {
  // Of the same origin and without a script that would keep something again. What was filled in is given up.
  const giveUp = (dialog: Dialog) => void dialog.accept().catch(() => {})
  page.off('dialog', refuse)
  page.on('dialog', giveUp)
  await page.goto(BLANK)
  page.off('dialog', giveUp)
  page.on('dialog', refuse)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  await page.mouse.move(0, 0)
}

/** Scripts for every page, what the developer tools are told, and being offline stay with a profile. */
function noticeLasting(profile: Profile): void {
  const { page, context } = profile
  const spend = <This, Given extends unknown[], Answer>(act: (this: This, ...given: Given) => Answer) =>
    function (this: This, ...given: Given): Answer {
      profile.isSpent = true
      return act.apply(this, given)
    }
  page.addInitScript = spend(page.addInitScript)
  context.addInitScript = spend(context.addInitScript)
  context.newCDPSession = spend(context.newCDPSession)
  context.setOffline = spend(context.setOffline)
}

/** A page that is about to move by itself, as after saving, takes the place of the address that was entered. */
function insist(page: Page): void {
  const enter = page.goto.bind(page)
  const tryOften = async (times: number, ...asked: Parameters<Page['goto']>): ReturnType<Page['goto']> => {
    try {
      return await enter(...asked)
    } catch (error) {
      if (times === 1 || !String(error).includes('net::ERR_ABORTED')) throw error
      await Bun.sleep(200)
      return tryOften(times - 1, ...asked)
    }
  }
  page.goto = (...asked) => tryOften(5, ...asked)
}

function watch(page: Page, url: string, seen: string[]): void {
  page.on('pageerror', error => seen.push(`exception: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') seen.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText ?? ''
    // The page left before an answer came; nothing failed.
    if (reason !== 'net::ERR_ABORTED') seen.push(`request: ${request.url()} ${reason}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) seen.push(`answer: ${response.status()} ${response.url().replace(url, '')}`)
  })
}
