import type { RefillPeriod } from '../../contract/tokens.ts'

/**
 * When the period that is running ends, in seconds since 1970; 0 where there is none. Days begin at midnight of the
 * server's time zone, weeks on Mondays, months on the first: as a calendar on its wall would say.
 */
export function nextRefill(period: RefillPeriod, now: number): number {
  const at = new Date(now * 1000)
  const daysFrom = (month: number, day: number): number =>
    new Date(at.getFullYear(), at.getMonth() + month, day).getTime() / 1000
  if (period === 'day') return daysFrom(0, at.getDate() + 1)
  if (period === 'week') return daysFrom(0, at.getDate() + 7 - ((at.getDay() + 6) % 7))
  return period === 'month' ? daysFrom(1, 1) : 0
}
