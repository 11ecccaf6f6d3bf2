import type { CDPSession, Page } from 'playwright-core'
import { openStage } from '../../test/browser/harness.ts'
import { judgeAtMost } from '../relay/judge.ts'
import type { Table } from '../rig/print-table.ts'
import { judgeP95, spreadCells } from './spread.ts'
import { timeToPaint } from './time-to-paint.ts'

const ROWS = 100_000
const FRAMES = 300
/** A little over eleven rows a frame: a hard throw of the wheel. */
const STEP = 400
/** With so many the p95 is not the very first one alone. */
const OPENED = 40
/** In the middle of those in sight. */
const ROW = 10

/** The live log at its fullest: scrolled, and rows of it opened. */
export async function measureLongLog(): Promise<Table> {
  const stage = await openStage()
  try {
    const { page } = await stage.visit({ asRoot: true })
    await page.addInitScript(answerTail, ROWS)
    await page.goto('/log?live=true&start=0')
    await page.locator('[data-virtual]').waitFor({ timeout: 120_000 })
    await page.getByText('100,000 条').waitFor({ timeout: 120_000 })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const before = await readMetrics(session)
    const frames = await scroll(page)
    const after = await readMetrics(session)
    const opened = await openRows(page)
    const typed = await typeFilter(page)
    // What is held, not what waits to be swept up.
    await session.send('HeapProfiler.collectGarbage')
    const heap = ((await readMetrics(session)).get('JSHeapUsedSize') ?? 0) / 1_048_576
    const own = (name: string) =>
      (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / Math.max(1, frames.length)
    return {
      title: `Console: the live log with ${ROWS.toLocaleString('en')} rows`,
      columns: ['', 'times', 'median', 'p95', 'longest'],
      rows: [
        [`a frame, scrolled by ${STEP} px each`, String(frames.length), ...spreadCells(frames)],
        ['a click that opens a row', String(opened.length), ...spreadCells(opened)],
        ['a key in a filter', String(typed.length), ...spreadCells(typed)],
      ],
      notes: [
        `the page's own work for a frame: ${own('TaskDuration').toFixed(1)} ms of processor time, of it script ${own('ScriptDuration').toFixed(1)}, layout ${own('LayoutDuration').toFixed(1)}`,
        judgeP95('a frame', frames, 25),
        judgeP95('opening a row', opened, 50),
        judgeP95('a key in a filter', typed, 100),
        judgeAtMost('heap', heap, 60, 'MB'),
      ],
    }
  } finally {
    await stage.close()
  }
}

async function readMetrics(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Until the row's facts are painted; what it asks of the server comes later. */
async function openRows(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < OPENED; count++) {
    const button = page.locator('main table [aria-expanded=false]').nth(ROW)
    times.push(
      await timeToPaint(page, { event: 'click', selector: 'main table td[colspan] > *' }, () =>
        button.click(),
      ),
    )
    await page.locator('main table [aria-expanded=true]').first().click()
    await page.locator('main table [aria-expanded=true]').waitFor({ state: 'detached' })
  }
  return times
}

/** Leaves the filter as it was: the server is asked when it is sent. */
async function typeFilter(page: Page): Promise<number[]> {
  await page.locator('[data-search]').focus()
  const times: number[] = []
  for (const key of ['g', 'p', 't', '-', '4', ...Array.from({ length: 5 }, () => 'Backspace')])
    times.push(
      await timeToPaint(page, { event: 'keydown', selector: '[data-search]', attribute: 'value' }, () =>
        page.keyboard.press(key),
      ),
    )
  return times
}

/** Milliseconds between frames. */
function scroll(page: Page): Promise<number[]> {
  return page.evaluate(
    ([frames, step]) =>
      new Promise<number[]>(resolve => {
        const element = document.querySelector('[data-virtual]')
        const times: number[] = []
        let last = performance.now()
        const next = (now: number) => {
          times.push(now - last)
          last = now
          if (element) element.scrollTop += step
          if (times.length < frames) requestAnimationFrame(next)
          else resolve(times.slice(1))
        }
        requestAnimationFrame(next)
      }),
    [FRAMES, STEP] as const,
  )
}

/** Runs in the page: the tail has as many rows as the page will keep. */
function answerTail(count: number): void {
  const original = globalThis.fetch
  const models = ['gpt-4o-mini', 'claude-sonnet-4-20250514', 'gemini-2.5-flash', 'deepseek-chat']
  const row = (id: number) => ({
    id,
    created_at: 1_700_000_000 + id,
    type: id % 40 === 0 ? 5 : 2,
    user_id: 1 + (id % 30),
    username: `user-${id % 30}`,
    token_id: 1,
    token_name: `token ${id % 7}`,
    model_name: models[id % models.length],
    channel: 1 + (id % 12),
    channel_name: 'channel',
    group: id % 3 === 0 ? 'vip' : 'default',
    is_stream: id % 2 === 0,
    use_time: id % 400,
    prompt_tokens: (id * 37) % 9000,
    completion_tokens: (id * 13) % 2000,
    quota: (id * 97) % 90_000,
    request_id: `20260101${id}`,
    content: '',
    other: `{"model_ratio":0.075,"model_price":-1,"completion_ratio":4,"group_ratio":1,"frt":${(id * 7) % 12_000},"admin_info":{"use_channel":["${id % 12}"]}}`,
  })
  const encoder = new TextEncoder()
  const tail = () => {
    let id = 0
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (id >= count) return new Promise(() => {})
        let text = ''
        for (const end = Math.min(count, id + 1000); id < end; )
          text += `data: ${JSON.stringify(row(++id))}\n\n`
        controller.enqueue(encoder.encode(text))
        return undefined
      },
    })
  }
  const answering = (input: RequestInfo | URL, init?: RequestInit) =>
    String(input).startsWith('/api/log/tail')
      ? Promise.resolve(new Response(tail(), { headers: { 'content-type': 'text/event-stream' } }))
      : original(input, init)
  Object.assign(globalThis, { fetch: answering })
}
