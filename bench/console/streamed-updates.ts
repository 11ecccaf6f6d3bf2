import type { CDPSession, Page } from 'playwright-core'
import { openPlaygroundHouse } from '../../test/browser/playground-house.ts'
import type { Table } from '../rig/print-table.ts'
import { judgeP95, spreadCells } from './spread.ts'

const UPDATES = 300
const PIECE = 55
/** Between two pieces; the playground draws thirty times a second. */
const GAP = 40

/** Prose, lists, tables and code, as models write: about 16 KB. */
function writeAnswer(): string {
  const part = [
    '## A part of the answer\n\nSome prose with **bold** words, `code` and a [link](https://example.com). ',
    'It goes on for a while, as answers do, and then there is a list:\n\n- one\n- two, with *more*\n- three\n\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n',
    '```ts\nexport function add(a: number, b: number): number {\n  // why\n  return a + b\n}\n```\n\n',
  ].join('')
  return part.repeat(Math.ceil((UPDATES * PIECE) / part.length)).slice(0, UPDATES * PIECE)
}

/** What each piece of a streamed answer costs the page: processor time of its script, styles and layout. */
export async function measureStreamedUpdates(): Promise<Table> {
  const house = await openPlaygroundHouse()
  try {
    const { page, close } = await house.stage.visit({ asRoot: true })
    await page.addInitScript(markUpdates)
    await page.goto('/playground')
    const input = page.locator('textarea').first()
    // The renderer of Markdown is loaded with the first answer.
    await input.fill('Hello')
    await input.press('Enter')
    await page.locator('[data-state=complete]').waitFor()
    house.upstream.next({ reply: { text: writeAnswer() }, pieceChars: PIECE, gapMs: GAP })
    const times = await traceUpdates(page, async () => {
      await input.fill('Tell me')
      await input.press('Enter')
      await page.locator('[data-state=complete]').nth(1).waitFor({ timeout: 120_000 })
    })
    await close()
    return {
      title: 'Playground: a streamed answer of 16 KB, processor time of script, styles and layout',
      columns: ['', 'times', 'median', 'p95', 'longest'],
      rows: [['an update', String(times.length), ...spreadCells(times)]],
      notes: [judgeP95('an update', times, 4)],
    }
  } finally {
    await house.close()
  }
}

const ORIGIN = 'playground-clock'

interface TraceEvent {
  readonly name: string
  readonly tid: number
  readonly pid: number
  /** Microseconds: when, and how much of the thread's own processor time it took. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** Processor time, not the clock's: what else the machine does is not the page's fault. Milliseconds. */
async function traceUpdates(page: Page, act: () => Promise<void>): Promise<number[]> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as object[] as TraceEvent[])))
  const complete = new Promise<void>(resolve => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] },
  })
  await page.evaluate(beginUpdates, ORIGIN)
  await act()
  await session.send('Tracing.end')
  await complete
  const origin = events.find(({ name }) => name === ORIGIN)
  if (!origin) throw new Error('The trace does not say when the page looked at its clock')
  const { began, times } = await page.evaluate(readUpdates)
  return times.flatMap(at => {
    const ts = origin.ts + (at - began) * 1000
    const task = events.find(
      event =>
        event.name.endsWith('RunTask') &&
        event.pid === origin.pid &&
        event.tid === origin.tid &&
        event.ts <= ts &&
        ts <= event.ts + (event.dur ?? 0),
    )
    return task?.tdur === undefined ? [] : [task.tdur / 1000]
  })
}

/** Milliseconds of the page's own clock. A mark in the trace for each would be a twentieth of what is measured. */
interface Updates {
  began: number
  readonly times: number[]
}

declare global {
  var updates: Updates
}

/** Runs in the page. One mark says where its clock stands in the trace. */
function beginUpdates(name: string): void {
  globalThis.updates.times.length = 0
  globalThis.updates.began = performance.mark(name).startTime
}

/** Runs in the page. */
function readUpdates(): Updates {
  return globalThis.updates
}

/** Runs in the page. The updates come from timers of one length; React draws before the next task. */
function markUpdates(): void {
  globalThis.updates = { began: 0, times: [] }
  const original = globalThis.setTimeout
  const marking = (act: () => void, delay?: number, ...rest: unknown[]) => {
    if (delay !== 33 || typeof act !== 'function') return original(act, delay, ...rest)
    return original(() => {
      act()
      globalThis.updates.times.push(performance.now())
      // Styles and layout belong to it.
      queueMicrotask(() => document.body.getBoundingClientRect())
    }, delay)
  }
  Object.assign(globalThis, { setTimeout: marking })
}
