import { median } from './print-table.ts'
import { cpuMicroseconds } from './process-cost.ts'
import { type Load, runWrk } from './run-wrk.ts'

export interface Target {
  readonly name: string
  readonly url: string
  readonly pid: number
}

export interface Comparison {
  readonly name: string
  readonly perSecond: number
  /** CPU time of the target's processes. */
  readonly microsecondsPerRequest: number
  readonly medianMs: number
  readonly p99Ms: number
}

const WARM_UP_SECONDS = 2

/** The same load on each target in turn, round after round, every other round backwards; medians. */
export async function compareUnderLoad(
  targets: readonly Target[],
  { rounds, ...load }: Load & { rounds: number },
): Promise<Comparison[]> {
  for (const { url } of targets) await runWrk(url, { ...load, seconds: WARM_UP_SECONDS })
  const seen = new Map<Target, Comparison[]>(targets.map(target => [target, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const before = cpuMicroseconds(target.pid)
      const { requests, perSecond, medianMs, p99Ms } = await runWrk(target.url, load)
      const microsecondsPerRequest = (cpuMicroseconds(target.pid) - before) / requests
      seen.get(target)?.push({ name: target.name, perSecond, microsecondsPerRequest, medianMs, p99Ms })
    }
  }
  return [...seen].map(([{ name }, results]) => ({
    name,
    perSecond: median(results.map(result => result.perSecond)),
    microsecondsPerRequest: median(results.map(result => result.microsecondsPerRequest)),
    medianMs: median(results.map(result => result.medianMs)),
    p99Ms: median(results.map(result => result.p99Ms)),
  }))
}
