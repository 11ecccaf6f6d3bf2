import type { Stage } from '../../test/browser/harness.ts'

/** Milliseconds, and bits a second. */
export interface Line {
  readonly latency: number
  readonly down: number
  readonly up: number
}

/** What a page was like while it came: milliseconds, but for `cls`. */
export interface Seen {
  readonly lcp: number
  readonly cls: number
  readonly tbt: number
}

/** Nothing has been under way for so long: the page has settled. */
const QUIET_MS = 700

/** A first visit: another profile, an empty cache. */
export async function enterEmulated(
  stage: Stage,
  path: string,
  as: NonNullable<Parameters<Stage['visit']>[0]>,
  { latency, down, up }: Line,
): Promise<Seen> {
  const { page, close } = await stage.visit(as)
  try {
    page.setDefaultTimeout(60_000)
    await page.addInitScript(observe)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: down / 8,
      uploadThroughput: up / 8,
    })
    await page.goto(path)
    await page.locator('h1').first().waitFor({ state: 'attached' })
    await page.waitForFunction(() => !document.querySelector('[role=status][data-loading]'))
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(QUIET_MS)
    return await page.evaluate(() => Reflect.get(globalThis, 'readSeen')() as Seen)
  } finally {
    await close()
  }
}

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

/** Runs in the page before anything of it does. */
function observe(): void {
  let lcp = 0
  let cls = 0
  const tasks: PerformanceEntry[] = []
  const on = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  on('largest-contentful-paint', ({ startTime }) => {
    lcp = startTime
  })
  on('layout-shift', entry => {
    const { value, hadRecentInput } = entry as Shift
    if (!hadRecentInput) cls += value
  })
  on('longtask', entry => tasks.push(entry))
  const readSeen = () => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    const late = tasks.filter(({ startTime }) => startTime >= painted)
    return { lcp, cls, tbt: late.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0) }
  }
  Object.assign(globalThis, { readSeen })
}
