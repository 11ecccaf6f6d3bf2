// A real browser before the real program. One of each per test file; every visit begins with nothing kept.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { Client, rootClient } from '../client.ts'
import { type Program, preparedDataDir, ROOT_PASSWORD, startProgram } from '../program.ts'
import { findChromium } from '../services/find-program.ts'
import { keepVisits, type Visit, type VisitOptions } from './visits.ts'

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
  // No visit is long enough to be worth the compilers that take their time, or a process of its own for drawing.
  '--in-process-gpu',
  '--js-flags=--no-turbofan,--no-maglev',
]

export interface Stage {
  readonly url: string
  readonly program: Program
  readonly browser: Browser
  /** Logged in as root over plain HTTP; only where the program was started with a root password. */
  root(): Promise<Client>
  visit(options?: VisitOptions): Promise<Visit>
  close(): Promise<void>
}

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.TOLLGATE_TEST_CHROMIUM ?? findChromium(),
    args: flags,
    // Twice that is within a test's own limit; the usual half a minute is too little where many start at once.
    timeout: 250_000,
  })
}

/** `with-root` has the account root; `fresh` still has to be set up. A browser that is given serves it too. */
export async function openStage(
  state: 'with-root' | 'fresh' = 'with-root',
  shared?: Browser,
  environment: Record<string, string> = {},
): Promise<Stage> {
  if (!existsSync(built)) throw new Error('The console is not built: run "node scripts/prepare.mjs" first')
  const program = await startProgram(
    state === 'with-root'
      ? { ROOT_PASSWORD, DATA_DIR: await preparedDataDir(), ...environment }
      : environment,
  )
  const browser =
    shared ??
    (await launchBrowser()
      // Once in a long while it dies at its start, before it has seen anything of ours.
      .catch(launchBrowser)
      .catch(async error => {
        await program.stop()
        throw error
      }))
  let rootLogin: Promise<Client> | undefined
  const root = () => {
    rootLogin ??= rootClient(program.url)
    return rootLogin
  }
  const visits = keepVisits(browser, program.url, root)
  return {
    url: program.url,
    program,
    browser,
    root,
    visit: options => visits.open(options ?? {}),
    close: async () => {
      await (shared ? visits.close() : browser.close())
      await program.stop()
    },
  }
}

export { Client, ROOT_PASSWORD, type Visit }
