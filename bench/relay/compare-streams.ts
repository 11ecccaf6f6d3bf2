import { median } from '../rig/print-table.ts'
import { cpuMicroseconds } from '../rig/process-cost.ts'
import type { StreamPlan, StreamsSeen } from './client/run-streams.ts'
import { type Ask, FRAMES } from './requests.ts'
import { runClient } from './run-client.ts'
import type { Server } from './start-stage.ts'

export interface Streamed {
  readonly name: string
  readonly server: Server
  readonly ask: Ask
}

export interface StreamCost {
  readonly name: string
  readonly framesPerSecond: number
  /** CPU time of the server's processes for each of the upstream's frames of text, the rest of the call included. */
  readonly microsecondsPerFrame: number
}

const WARM_UP_SECONDS = 4

/** The same number of streams at once through each in turn, round after round, every other round backwards; medians. */
export async function compareStreams(
  streamed: readonly Streamed[],
  { rounds, ...load }: { rounds: number; concurrent: number; seconds: number },
): Promise<StreamCost[]> {
  const run = ({ server, ask }: Streamed, seconds: number): Promise<StreamsSeen> => {
    const plan: StreamPlan = { port: server.port, ask, concurrent: load.concurrent, seconds }
    return runClient<StreamsSeen>('run-streams', plan)
  }
  for (const each of streamed) await run(each, WARM_UP_SECONDS)
  const seen = streamed.map(each => ({ each, costs: [] as number[], rates: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { each, costs, rates } of round % 2 === 0 ? seen : seen.toReversed()) {
      const before = cpuMicroseconds(each.server.pid)
      const { streams, seconds } = await run(each, load.seconds)
      const frames = streams * FRAMES
      costs.push((cpuMicroseconds(each.server.pid) - before) / frames)
      rates.push(frames / seconds)
    }
  }
  return seen.map(({ each, costs, rates }) => ({
    name: each.name,
    framesPerSecond: median(rates),
    microsecondsPerFrame: median(costs),
  }))
}

export function streamCells({ framesPerSecond, microsecondsPerFrame }: StreamCost): string[] {
  return [
    Math.round(framesPerSecond).toLocaleString('en'),
    `${Math.round((framesPerSecond * microsecondsPerFrame) / 10_000)} %`,
    microsecondsPerFrame.toFixed(2),
  ]
}
