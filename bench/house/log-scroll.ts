import type { CDPSession, Page } from 'playwright-core'
import { openStage } from '../../test/browser/harness.ts'
import type { Table } from '../rig/print-table.ts'

const ROWS = 100_000
const FRAMES = 300
/** A little over eleven rows a frame: a hard throw of the wheel. */
const STEP = 400

/** The live log at its fullest, scrolled: how long frames are, and what of that is the page's own work. */
export async function measureLogScroll(): Promise<Table> {
  const stage = await openStage()
  try {
    const { page } = await stage.visit({ asRoot: true })
    await page.addInitScript(answerTail, ROWS)
    await page.goto('/log?live=true&start=0')
    const scroller = page.locator('[data-virtual]')
    await scroller.waitFor({ timeout: 120_000 })
    await page.getByText('100,000 条').waitFor({ timeout: 120_000 })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const heap = (await metricsOf(session)).get('JSHeapUsedSize') ?? 0
    const before = await metricsOf(session)
    const frames = await scroll(page)
    const after = await metricsOf(session)
    const own = (name: string) =>
      `${((((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / frames.length).toFixed(1)} ms`
    const sorted = frames.toSorted((one, other) => one - other)
    const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`
    return {
      title: `Console: ${ROWS.toLocaleString('en-US')} log rows scrolled, ${frames.length} frames of ${STEP} px`,
      columns: ['', 'median', 'p95', 'longest', 'own work, mean', 'script', 'layout', 'heap', 'budget (p95)'],
      rows: [
        [
          'frame',
          at(0.5),
          at(0.95),
          at(0.9999),
          own('TaskDuration'),
          own('ScriptDuration'),
          own('LayoutDuration'),
          `${Math.round(heap / 1_048_576)} MB`,
          '25 ms',
        ],
      ],
    }
  } finally {
    await stage.close()
  }
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
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
        for (const end = Math.min(count, id + 1000); id < end; ) text += `data: ${JSON.stringify(row(++id))}\n\n`
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
