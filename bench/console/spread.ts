import { judgeAtMost } from '../relay/judge.ts'

/** Median, p95 and longest of some milliseconds, as cells of a table. */
export function spreadCells(times: readonly number[]): string[] {
  return [0.5, 0.95, 1].map(share => `${quantile(times, share).toFixed(1)} ms`)
}

export function judgeP95(what: string, times: readonly number[], most: number): string {
  return judgeAtMost(`${what}, p95`, quantile(times, 0.95), most, 'ms')
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
