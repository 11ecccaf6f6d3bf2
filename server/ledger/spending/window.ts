import type { SpendPeriod } from '../../../contract/spend-limits.ts'
import { nextRefill } from '../refill-period.ts'

const spans = { 'five-hours': 5 * 3600, 'seven-days': 7 * 86_400 } as const
/** Seconds, more than any window has: an end further away was set by a clock that was wrong. */
const TOO_FAR = 32 * 86_400

/** When a window ends that begins with a call of now; 0 where it never does. */
export function windowEnd(period: SpendPeriod, now: number): number {
  return period === 'five-hours' || period === 'seven-days' ? now + spans[period] : nextRefill(period, now)
}

/** Whether a window is over by the clock, though nobody may have spent anything since and begun the next. */
export function isWindowOver(period: SpendPeriod, endsAt: number, now: number): boolean {
  return period !== 'none' && (endsAt <= now || endsAt > now + TOO_FAR)
}
