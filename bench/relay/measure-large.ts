import type { Table } from '../rig/print-table.ts'
import { readMemory } from '../rig/process-cost.ts'
import type { Heard } from './client/raw-connection.ts'
import type { LargePlan } from './client/read-large.ts'
import { judgeAtMost } from './judge.ts'
import { type Ask, askOpenai } from './requests.ts'
import { runClient } from './run-client.ts'
import { type Server, startStage } from './start-stage.ts'

const LOOK_EVERY_MS = 20
const SETTLE_MS = 2000
const SLOW_REST_MS = 16
const MOST_MB = 20

interface Seen {
  readonly name: string
  readonly heard: Heard
  readonly before: number
  readonly peak: number
}

/** A streamed answer of 100 MB: it must pass through, not pile up. */
export async function measureLarge(): Promise<Table> {
  const stage = await startStage()
  const ask = askOpenai(stage.key, { stream: true, manner: 'large' })
  const seen: Seen[] = []
  for (const server of [stage.floor, { ...stage.gateway, pid: stage.workerPid }]) {
    await runClient<Heard>('read-large', { port: server.port, ask, restMs: 0 } satisfies LargePlan)
    seen.push(await readLarge(server, ask, 'fast reader', 0))
    seen.push(await readLarge(server, ask, 'slow reader', SLOW_REST_MS))
  }
  await stage.stop()
  return {
    title: 'One streamed answer of 100 MB, memory of the process that carries it',
    columns: ['', 'MB', 'seconds', 'RSS before MB', 'peak MB', 'growth MB'],
    rows: seen.map(({ name, heard, before, peak }) => [
      name,
      (heard.bytes / 2 ** 20).toFixed(0),
      (heard.wholeMs / 1000).toFixed(2),
      ...[before, peak, peak - before].map(bytes => (bytes / 1e6).toFixed(1)),
    ]),
    notes: [
      `before: after one such answer; the slow reader rests ${SLOW_REST_MS} of every 20 ms`,
      ...seen
        .slice(2)
        .map(({ name, before, peak }) =>
          judgeAtMost(`growth of ${name}`, (peak - before) / 1e6, MOST_MB, 'MB'),
        ),
    ],
  }
}

async function readLarge({ name, port, pid }: Server, ask: Ask, how: string, restMs: number): Promise<Seen> {
  await Bun.sleep(SETTLE_MS)
  const before = readMemory(pid).rss
  let peak = before
  const looking = setInterval(() => {
    peak = Math.max(peak, readMemory(pid).rss)
  }, LOOK_EVERY_MS)
  try {
    const heard = await runClient<Heard>('read-large', { port, ask, restMs } satisfies LargePlan)
    return { name: `${name}, ${how}`, heard, before, peak }
  } finally {
    clearInterval(looking)
  }
}
