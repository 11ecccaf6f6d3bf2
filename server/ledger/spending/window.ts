import type { SpendPeriod } from '../../../contract/spend-limits.ts'
import { nextRefill } from '../refill-period.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const spans = { 'five-hours': 5 * HOUR, 'seven-days': 7 * DAY } as const
/** Seconds; a day in which clocks are put back has an hour more. */
const longest = { ...spans, day: DAY + HOUR, week: 7 * DAY + HOUR, month: 31 * DAY + HOUR } as const
/** Seconds; whoever sees a window may be so far behind whoever began it. */
const CLOCKS_DIFFER = DAY

/** When a window ends that begins with a call of now; 0 where it never does. */
export function windowEnd(period: SpendPeriod, now: number): number {
  return period === 'five-hours' || period === 'seven-days' ? now + spans[period] : nextRefill(period, now)
}

/**
 * Whether a window is over by the clock, though nobody may have spent anything since and begun the next. One that ends
 * further away than any can was begun by a clock that was wrong.
 */
export function isWindowOver(period: SpendPeriod, endsAt: number, now: number): boolean {
  return period !== 'none' && (endsAt <= now || endsAt > now + longest[period] + CLOCKS_DIFFER)
}
