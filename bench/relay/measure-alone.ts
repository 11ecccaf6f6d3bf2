import type { Table } from '../rig/print-table.ts'
import type { AlonePlan, AloneSeen } from './client/call-alone.ts'
import { judgeAtMost } from './judge.ts'
import { warmUp } from './measure-plain.ts'
import { type Ask, askOpenai } from './requests.ts'
import { runClient } from './run-client.ts'
import { type Stage, startStage } from './start-stage.ts'

/** A call alone goes other ways than a crowd, and for so many calls the runtime still compiles them. */
export const WARM_UP = 10_000
const blocks = { blocks: 20, callsPerBlock: 100, warmUp: WARM_UP }
const MOST_P50_MS = 0.8
const MOST_P99_MS = 3

/** One target called one at a time, and what it takes more than the upstream itself. */
export interface Alone {
  readonly name: string
  readonly p50: number
  readonly p99: number
  readonly addedP50: number
  readonly addedP99: number
}

/** What a single call waits longer because something stands in front of the upstream. */
export async function measureAlone(): Promise<Table> {
  const stage = await startStage()
  await warmUp(stage)
  const seen = await callAlone(stage)
  await stage.stop()
  return {
    title: `POST /v1/chat/completions, SQLite, ${aloneTitle}`,
    columns: ['', 'p50 ms', 'p99 ms', 'p50 added ms', 'p99 added ms'],
    rows: seen.map(each => [each.name, each.p50.toFixed(3), each.p99.toFixed(3), ...addedCells(each)]),
    notes: [
      'added: less the same quantile of the upstream called directly by the same client; the charge is on disk before the answer',
      ...judgeAlone(seen),
    ],
  }
}

export const aloneTitle = `one at a time, ${blocks.blocks * blocks.callsPerBlock} calls each after ${WARM_UP}, in blocks of ${blocks.callsPerBlock}`

export async function callAlone(stage: Stage): Promise<Alone[]> {
  const seen = await callEach(stage, askOpenai(stage.key, { stream: false }), blocks)
  return seen.map(({ name, wholeP50, wholeP99 }, _, [direct]) => ({
    name,
    p50: wholeP50,
    p99: wholeP99,
    addedP50: wholeP50 - (direct?.wholeP50 ?? Number.NaN),
    addedP99: wholeP99 - (direct?.wholeP99 ?? Number.NaN),
  }))
}

/** The upstream itself comes first, the gateway last. */
export async function callEach(
  { upstream, nginx, floor, paying, gateway }: Stage,
  ask: Ask,
  how: Pick<AlonePlan, 'blocks' | 'callsPerBlock' | 'warmUp'>,
): Promise<(AloneSeen & { name: string })[]> {
  const targets = [{ ...upstream, name: 'upstream, direct' }, nginx, floor, paying, gateway]
  const plan: AlonePlan = { ports: targets.map(({ port }) => port), ask, ...how }
  const seen = await runClient<AloneSeen[]>('call-alone', plan)
  return seen.map((each, at) => ({ ...each, name: targets[at]?.name ?? '' }))
}

export function addedCells({ addedP50, addedP99 }: Alone): string[] {
  return [addedP50.toFixed(3), addedP99.toFixed(3)]
}

export function judgeAlone(seen: readonly Alone[]): string[] {
  const gateway = seen.at(-1)
  if (!gateway) return []
  return [
    judgeAtMost('p50 added by the gateway', gateway.addedP50, MOST_P50_MS, 'ms'),
    judgeAtMost('p99 added by the gateway', gateway.addedP99, MOST_P99_MS, 'ms'),
  ]
}
