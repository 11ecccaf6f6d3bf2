import { cores } from '../rig/need-tools.ts'
import type { Table } from '../rig/print-table.ts'
import { readMemory } from '../rig/process-cost.ts'
import { type Running, start } from '../rig/running.ts'
import type { IdlePlan } from './client/hold-idle.ts'
import { judgeAtMost } from './judge.ts'
import { type Ask, askOpenai } from './requests.ts'
import { clientCommand } from './run-client.ts'
import { startStage } from './start-stage.ts'

const WANTED = 5000
const WARM_UP = 500
const OPEN_WITHIN_MS = 60_000
const SETTLE_MS = 3000
const MOST_KB = 40
/** Each stream is two sockets of the gateway, and it has other files. */
const OTHER_FILES = 500

/** What a stream costs while nobody says anything. */
export async function measureIdle(): Promise<Table> {
  const stage = await startStage()
  const { gateway, workerPid, key } = stage
  const ask = askOpenai(key, { stream: true, manner: 'idle' })
  const streams = Math.min(WANTED, Math.floor((fileLimit() - OTHER_FILES) / 2))
  const warm = await openStreams(gateway.port, ask, WARM_UP)
  await warm.stop()
  await Bun.sleep(SETTLE_MS)
  const before = readMemory(workerPid).rss
  const client = await openStreams(gateway.port, ask, streams)
  await Bun.sleep(SETTLE_MS)
  const after = readMemory(workerPid).rss
  await client.stop()
  await stage.stop()
  const each = (after - before) / streams / 1000
  return {
    title: `Idle streams in one worker, ${SETTLE_MS / 1000} s after the last has begun`,
    columns: ['streams', 'RSS before MB', 'RSS after MB', 'KB each'],
    rows: [
      [streams.toLocaleString('en'), (before / 1e6).toFixed(1), (after / 1e6).toFixed(1), each.toFixed(1)],
    ],
    notes: [
      `before: after ${WARM_UP} such streams have come and gone`,
      ...(streams < WANTED ? [`no more than ${streams}: ulimit -n is ${fileLimit()}`] : []),
      judgeAtMost('memory of each', each, MOST_KB, 'KB'),
    ],
  }
}

async function openStreams(port: number, ask: Ask, streams: number): Promise<Running> {
  const plan: IdlePlan = { port, ask, streams }
  const client = start(clientCommand('hold-idle', plan), { core: cores.load })
  const deadline = performance.now() + OPEN_WITHIN_MS
  while (!client.output().includes('{"open":')) {
    const ended = await Promise.race([client.exited, Bun.sleep(50)])
    if (ended !== undefined || performance.now() > deadline)
      throw new Error(`The idle streams could not all be opened:\n${client.output()}`)
  }
  return client
}

/** The runtime raises its own limit as far as it may. */
function fileLimit(): number {
  const text = Bun.spawnSync(['sh', '-c', 'ulimit -Hn']).stdout.toString().trim()
  return text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
}
