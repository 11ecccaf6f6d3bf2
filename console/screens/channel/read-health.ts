import type { StatisticsRow } from '../../../contract/statistics.ts'

const HOUR = 3600
export const HOURS = 24

export interface Hour {
  requests: number
  errors: number
}
export type Health = ReadonlyMap<number, readonly Hour[]>

/** For each channel its hours, the oldest first. */
export function readHealth(
  rows: readonly Pick<StatisticsRow, 'time' | 'key' | 'requests' | 'errors'>[],
  now: number,
): Health {
  const first = Math.floor(now / HOUR) - HOURS + 1
  const health = new Map<number, Hour[]>()
  for (const { time, key, requests, errors } of rows) {
    const at = Math.floor(time / HOUR) - first
    if (at < 0 || at >= HOURS) continue
    const id = Number(key)
    const hours = health.get(id) ?? Array.from({ length: HOURS }, () => ({ requests: 0, errors: 0 }))
    hours[at] = { requests, errors }
    health.set(id, hours)
  }
  return health
}
