// A real browser before the real program. One of each per test file; every test gets a fresh profile.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Dialog, type Page } from 'playwright-core'
import { Client, rootClient } from '../client.ts'
import { type Program, ROOT_PASSWORD, startProgram } from '../program.ts'
import { findChromium } from '../services/find-program.ts'

const built = join(import.meta.dir, '../../dist/console/index.html')
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Visit {
  readonly page: Page
  /** Console errors, refused or failed requests, policy violations: a good visit has none. */
  readonly faults: string[]
  /** Faults that this visit provokes on purpose. */
  expectFault(pattern: RegExp): void
  /** As a new visit of the same person, whose browser has the console's files and nothing else. */
  startOver(): Promise<void>
  close(): Promise<void>
}

export interface Stage {
  readonly url: string
  readonly program: Program
  readonly browser: Browser
  /** Logged in as root over plain HTTP; only where the program was started with a root password. */
  root(): Promise<Client>
  visit(options?: VisitOptions): Promise<Visit>
  close(): Promise<void>
}

interface VisitOptions extends BrowserContextOptions {
  /** Starts the visit logged in as root. */
  asRoot?: boolean
  /** Starts the visit logged in as whom this client is. */
  as?: Client
}

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.TOLLGATE_TEST_CHROMIUM ?? findChromium(),
    args: flags,
  })
}

/** `with-root` has the account root; `fresh` still has to be set up. A browser that is given serves it too. */
export async function openStage(
  state: 'with-root' | 'fresh' = 'with-root',
  shared?: Browser,
): Promise<Stage> {
  if (!existsSync(built)) throw new Error('The console is not built: run "node scripts/prepare.mjs" first')
  const program = await startProgram(state === 'with-root' ? { ROOT_PASSWORD } : {})
  const browser = shared ?? (await launchBrowser())
  let rootLogin: Promise<Client> | undefined
  const root = () => {
    rootLogin ??= rootClient(program.url)
    return rootLogin
  }
  return {
    url: program.url,
    program,
    browser,
    root,
    visit: options => openVisit(browser, program.url, options ?? {}, root),
    close: async () => {
      if (!shared) await browser.close()
      await program.stop()
    },
  }
}

async function openVisit(
  browser: Browser,
  url: string,
  { asRoot, as, ...options }: VisitOptions,
  root: () => Promise<Client>,
): Promise<Visit> {
  const viewport = { width: 1280, height: 800 }
  const context = await browser.newContext({
    baseURL: url,
    locale: 'zh-CN',
    viewport,
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(10_000)
  const client = as ?? (asRoot ? await root() : undefined)
  const cookies = client ? [{ name: 'session', value: client.cookie ?? '', url }] : []
  if (client) {
    const { json } = await client.get('/api/user/self')
    await context.addCookies(cookies)
    await context.addInitScript(user => {
      // Once per profile: a logout must not be undone by the next page.
      if (localStorage.getItem('test-began')) return
      localStorage.setItem('test-began', 'true')
      localStorage.setItem('user', user)
    }, JSON.stringify(json.data))
  }
  const page = await context.newPage()
  const seen: string[] = []
  const expected: RegExp[] = []
  const refuse = (dialog: Dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  }
  page.on('dialog', refuse)
  watch(page, url, seen)
  insist(page)
  return {
    page,
    get faults() {
      return seen.filter(fault => !expected.some(pattern => pattern.test(fault)))
    },
    expectFault: pattern => expected.push(pattern),
    async startOver() {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Of the same origin and without a script that would keep something again. What was filled in is given up.
      const giveUp = (dialog: Dialog) => void dialog.accept().catch(() => {})
      page.off('dialog', refuse)
      page.on('dialog', giveUp)
      await page.goto('/healthz')
      page.off('dialog', giveUp)
      page.on('dialog', refuse)
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      await context.clearCookies()
      await context.addCookies(cookies)
      await page.mouse.move(0, 0)
      await page.setViewportSize(options.viewport ?? viewport)
      await page.emulateMedia({ colorScheme: options.colorScheme ?? null })
      seen.length = 0
      expected.length = 0
    },
    async close() {
      // An answer that a scene was about to change belongs to nobody any more.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    },
  }
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

export { Client, ROOT_PASSWORD }
