import type { Table } from '../rig/print-table.ts'
import { compareStreams, streamCells } from './compare-streams.ts'
import { judgeAtMost } from './judge.ts'
import { callEach, WARM_UP } from './measure-alone.ts'
import { WHAT_PAYS, warmUp } from './measure-plain.ts'
import { askOpenai, FRAMES } from './requests.ts'
import { FLOOR, startStage } from './start-stage.ts'

const load = { concurrent: 64, seconds: 4, rounds: 3 }
const blocks = { blocks: 20, callsPerBlock: 50, warmUp: WARM_UP }
const MOST_CPU = 1.5
const MOST_FIRST_MS = 0.8

/** Streams that pass as they are: what a frame costs, and how much later the first one comes. */
export async function measureStreams(): Promise<Table> {
  const stage = await startStage()
  const { nginx, floor, paying, gateway, key } = stage
  const ask = askOpenai(key, { stream: true })
  const short = askOpenai(key, { stream: true, manner: 'short' })
  // A stream takes so long that few begin in a round: what begins and ends one would still be compiled in the last.
  await warmUp(stage, short)
  const costs = await compareStreams(
    [nginx, floor, paying, gateway].map(server => ({ name: server.name, server, ask })),
    load,
  )
  const firsts = await callEach(stage, short, blocks)
  await stage.stop()
  const floorCost = costs.find(({ name }) => name === FLOOR)?.microsecondsPerFrame ?? Number.NaN
  const direct = firsts[0]?.firstP50 ?? Number.NaN
  const first = firsts.at(-1)?.firstP50 ?? Number.NaN
  const cost = costs.at(-1)?.microsecondsPerFrame ?? Number.NaN
  return {
    title: `Streams of ${FRAMES} frames, SQLite, one core, ${load.concurrent} at once, median of ${load.rounds} × ${load.seconds} s; first token one at a time`,
    columns: [
      '',
      'frames/s',
      'core busy',
      'CPU µs/frame',
      '× floor',
      'first token p50 ms',
      'added ms',
      'p99 ms',
    ],
    rows: firsts.map(({ name, firstP50, firstP99 }) => {
      const found = costs.find(each => each.name === name)
      return [
        name,
        ...(found ? [...streamCells(found), ratio(found.microsecondsPerFrame, floorCost)] : ['', '', '', '']),
        firstP50.toFixed(3),
        (firstP50 - direct).toFixed(3),
        firstP99.toFixed(3),
      ]
    }),
    notes: [
      WHAT_PAYS,
      'the upstream writes a frame of each stream every few milliseconds; CPU is of the whole call, for each frame of text',
      `first token: ${blocks.blocks * blocks.callsPerBlock} calls each after ${WARM_UP}, in blocks that take turns`,
      judgeAtMost('CPU of the gateway', cost / floorCost, MOST_CPU, '× the bare Bun relay'),
      judgeAtMost('first token added by the gateway', first - direct, MOST_FIRST_MS, 'ms'),
    ],
  }
}

function ratio(figure: number, floor: number): string {
  return (figure / floor).toFixed(2)
}
