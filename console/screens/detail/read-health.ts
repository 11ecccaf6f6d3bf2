import type { StatisticsRow } from '../../../contract/statistics.ts'

const HOUR = 3600
const HOURS = 24

export interface ChannelHealth {
  readonly id: string
  readonly name: string
  readonly requests: number
  readonly errorRate: number
  /** Of the whole day. */
  readonly latency: number | null
  /** One for each hour, the oldest first; null where nothing happened. */
  readonly errorRates: readonly (number | null)[]
  readonly latencies: readonly (number | null)[]
}

/** The last day of every channel that was used: those that fail most first, then the busiest. */
export function readHealth(
  hourly: readonly StatisticsRow[],
  totals: readonly StatisticsRow[],
  now: number,
): ChannelHealth[] {
  const first = Math.floor(now / HOUR) - HOURS + 1
  const hours = new Map<string, Map<number, StatisticsRow>>()
  for (const row of hourly) {
    const known = hours.get(row.key) ?? new Map<number, StatisticsRow>()
    hours.set(row.key, known.set(Math.floor(row.time / HOUR) - first, row))
  }
  const places = Array.from({ length: HOURS }, (_, at) => at)
  return totals
    .filter(({ key, requests }) => key !== '0' && requests > 0)
    .map(({ key, name, requests, errors, latency_p95 }) => {
      const own = places.map(at => hours.get(key)?.get(at))
      return {
        id: key,
        name: name === key ? `#${key}` : name,
        requests,
        errorRate: errors / requests,
        latency: latency_p95,
        errorRates: own.map(row => (row && row.requests > 0 ? row.errors / row.requests : null)),
        latencies: own.map(row => row?.latency_p95 ?? null),
      }
    })
    .toSorted((one, other) => other.errorRate - one.errorRate || other.requests - one.requests)
}
