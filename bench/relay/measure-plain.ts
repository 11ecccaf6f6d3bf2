import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Comparison, compareUnderLoad } from '../rig/compare-under-load.ts'
import { cores } from '../rig/need-tools.ts'
import type { Table } from '../rig/print-table.ts'
import { runWrk } from '../rig/run-wrk.ts'
import { scratchFolder } from '../rig/running.ts'
import { judgeAtLeast, judgeAtMost } from './judge.ts'
import { type Ask, askOpenai } from './requests.ts'
import { FLOOR, type Server, type Stage, startStage } from './start-stage.ts'

export const plainLoad = { connections: 64, seconds: 4, rounds: 3, core: cores.load }
/** Until its code is compiled, for a hundred thousand calls, the gateway is another program; the others have little. */
const WARM_UP_SECONDS = 40
const MOST_CPU = 2
const LEAST_RATE = 0.5

/** Chat calls that are answered whole, as many as go through one core. */
export async function measurePlain(): Promise<Table> {
  const stage = await startStage()
  const { nginx, floor, paying, gateway } = stage
  const seen = await loadPlain(stage, [nginx, floor, paying, gateway])
  await stage.stop()
  return {
    title: `POST /v1/chat/completions, SQLite, one core, ${plainLoadTitle}`,
    columns: ['', ...plainColumns],
    rows: seen.map(each => [each.name, ...plainCells(each, seen)]),
    notes: [
      WHAT_PAYS,
      `servers on core ${cores.server}, upstream and wrk on core ${cores.load}; CPU is that of all the server's processes`,
      ...judgePlain(seen),
    ],
  }
}

export const WHAT_PAYS =
  'paid on disk: a bare relay that also knows its one key, reads both bodies and commits each charge before it answers'

export const plainLoadTitle = `${plainLoad.connections} at once, median of ${plainLoad.rounds} × ${plainLoad.seconds} s`

export async function loadPlain(stage: Stage, servers: readonly Server[]): Promise<Comparison[]> {
  await warmUp(stage)
  const ask = askOpenai(stage.key, { stream: false })
  const targets = servers.map(target => ({ ...target, url: target.url + ask.path }))
  return compareUnderLoad(targets, { ...plainLoad, script: writeScript(ask) })
}

export async function warmUp(
  { gateway, key }: Stage,
  ask: Ask = askOpenai(key, { stream: false }),
  patienceSeconds?: number,
): Promise<void> {
  const load = { ...plainLoad, seconds: WARM_UP_SECONDS, script: writeScript(ask) }
  await runWrk(gateway.url + ask.path, patienceSeconds === undefined ? load : { ...load, patienceSeconds })
}

export const plainColumns = [
  'requests/s',
  'of the floor',
  'p50 ms',
  'p99 ms',
  'core busy',
  'CPU µs/request',
  '× floor',
]

export function plainCells(seen: Comparison, all: readonly Comparison[]): string[] {
  const { perSecond, medianMs, p99Ms, microsecondsPerRequest } = seen
  const { rate, cpu } = againstFloor(seen, all)
  return [
    Math.round(perSecond).toLocaleString('en'),
    rate.toFixed(2),
    medianMs.toFixed(2),
    p99Ms.toFixed(2),
    `${Math.round((perSecond * microsecondsPerRequest) / 10_000)} %`,
    microsecondsPerRequest.toFixed(1),
    cpu.toFixed(2),
  ]
}

export function judgePlain(all: readonly Comparison[]): string[] {
  const gateway = all.at(-1)
  if (!gateway) return []
  const { rate, cpu } = againstFloor(gateway, all)
  return [
    judgeAtMost('CPU of the gateway', cpu, MOST_CPU, '× the bare Bun relay'),
    judgeAtLeast('requests/s of the gateway', rate, LEAST_RATE, '× the bare Bun relay'),
  ]
}

function againstFloor(seen: Comparison, all: readonly Comparison[]): { rate: number; cpu: number } {
  const floor = all.find(({ name }) => name === FLOOR)
  return {
    rate: seen.perSecond / (floor?.perSecond ?? Number.NaN),
    cpu: seen.microsecondsPerRequest / (floor?.microsecondsPerRequest ?? Number.NaN),
  }
}

export function writeScript({ headers, body }: Ask): string {
  const file = join(scratchFolder('wrk'), 'post.lua')
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  writeFileSync(file, ['wrk.method = "POST"', `wrk.body = [==[${body}]==]`, ...lines, ''].join('\n'))
  return file
}
