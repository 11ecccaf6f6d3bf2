import type { DurationUnit } from '../../../contract/plans.ts'
import type { RefillPeriod } from '../../../contract/tokens.ts'

const DAY = 86_400

export interface Duration {
  readonly count: number
  readonly unit: DurationUnit
}

/**
 * So many days, weeks or months after a moment, at the same time of the day by the clock on the server's wall; where
 * a month has no such day, on its last.
 */
function timeAfter(start: number, count: number, unit: Exclude<RefillPeriod, 'none'>): number {
  const at = new Date(start * 1000)
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
  const date = (months: number, days: number): Date =>
    new Date(year, month + months, days, at.getHours(), at.getMinutes(), at.getSeconds())
  if (unit !== 'month') return date(0, day + count * (unit === 'week' ? 7 : 1)).getTime() / 1000
  const daysOfThatMonth = new Date(year, month + count + 1, 0).getDate()
  return date(count, Math.min(day, daysOfThatMonth)).getTime() / 1000
}

export function endOf(start: number, { count, unit }: Duration, times = 1): number {
  return timeAfter(start, count * times, unit)
}

/**
 * When the period ends that runs now, in seconds since 1970. They are counted from the moment of the purchase: thirty
 * days that were sold are thirty periods of a day, at whatever hour they were sold.
 */
export function periodEnd(
  { starts_at, ends_at, period }: { starts_at: number; ends_at: number; period: RefillPeriod },
  now: number,
): number {
  if (period === 'none') return ends_at
  const longest = { day: DAY, week: 7 * DAY, month: 31 * DAY }[period]
  // One too early where clocks were put forward meanwhile.
  let count = Math.max(1, Math.floor((now - starts_at) / longest))
  while (timeAfter(starts_at, count, period) <= now) count++
  return Math.min(timeAfter(starts_at, count, period), ends_at)
}
