import { MOST_LIMIT, MOST_QUOTA, type RefillPeriod } from '../../../../../contract/tokens.ts'
import { nextRefill } from '../../../../ledger/refill-period.ts'
import type { Limits } from '../../../../store/counters/counters.ts'
import type { ForeignRow } from '../../../../store/foreign-database.ts'
import { textOf } from '../../read-row.ts'

/** Told of what does not come as it is. */
type Odd = (what: string) => void

/** In quota. */
export interface Budget {
  /** What may be spent in all, or in each of its periods. */
  readonly whole: number
  readonly left: number
}

/** Seconds: longer than any period; a reset that is further away is none that could be meant. */
const TOO_FAR = 32 * 86_400

/** Dollars with a fraction, as that many quota; undefined where that is no amount. */
export function quotaOf(dollars: unknown, unit: number): number | undefined {
  const amount = Math.round(Number(dollars ?? 0) * unit)
  return amount >= 0 ? Math.min(amount, MOST_QUOTA) : undefined
}

/** Undefined where there is no end to it. What is no amount is never taken for one: then there is nothing. */
export function readBudget(max: unknown, spend: unknown, unit: number, odd: Odd): Budget | undefined {
  if (max === null || max === undefined || max === Number.POSITIVE_INFINITY) return undefined
  const whole = quotaOf(max, unit)
  const spent = quotaOf(spend, unit)
  if (whole === undefined) {
    odd(`a budget of ${String(max)} becomes 0`)
    return { whole: 0, left: 0 }
  }
  if (Number(max) * unit > MOST_QUOTA) odd(`a budget of ${String(max)} becomes ${MOST_QUOTA / unit}`)
  if (spent !== undefined) return { whole, left: Math.max(0, whole - spent) }
  const isLess = Number(spend) < 0
  odd(`${String(spend)} as what was spent counts as ${isLess ? 'nothing' : 'all'}`)
  return { whole, left: isLess ? whole : 0 }
}

const periods: Readonly<Record<string, RefillPeriod>> = {
  ...{ '1d': 'day', '24h': 'day', '7d': 'week', '1w': 'week', '30d': 'month', '1mo': 'month' },
}

export interface Refill {
  readonly refill_quota: number
  readonly refill_period: RefillPeriod
  readonly refill_at: number
}

/** A budget that is not renewed. */
const unrenewed: Refill = { refill_quota: 0, refill_period: 'none', refill_at: 0 }

/** What a budget is renewed to, and when; LiteLLM too counts days from midnight, weeks from Monday, months from the first. */
export function readRefill(
  { budget_duration, budget_reset_at }: ForeignRow,
  budget: Budget | undefined,
  now: number,
): Refill {
  const refill_period = periods[readDuration(budget_duration)]
  if (!refill_period || !budget?.whole) return unrenewed
  const reset = secondsOf(budget_reset_at)
  const isMeant = reset !== undefined && reset > 0 && reset < now + TOO_FAR
  return {
    refill_quota: budget.whole,
    refill_period,
    refill_at: isMeant ? reset : nextRefill(refill_period, now),
  }
}

/** Blank where it is not renewed. */
export function readDuration(value: unknown): string {
  const text = textOf({ value }, 'value').toLowerCase()
  return text === 'none' || text === 'null' ? '' : text
}

/** LiteLLM's times have no zone, and are those of UTC. Undefined where there is none, or no end; 0 for long ago. */
export function secondsOf(value: unknown): number | undefined {
  if (value === Number.NEGATIVE_INFINITY) return 0
  const at = value instanceof Date ? Math.floor(value.getTime() / 1000) : Number.NaN
  return Number.isSafeInteger(at) ? Math.max(0, at) : undefined
}

export const unlimited: Limits = { rpm: 0, tpm: 0, concurrency: 0 }

/** Undefined where one of them lets nothing through at all: here a 0 would let through everything. */
export function readLimits(row: ForeignRow): Limits | undefined {
  const [rpm, tpm, concurrency] = [row.rpm_limit, row.tpm_limit, row.max_parallel_requests].map(readLimit)
  if (rpm === undefined || tpm === undefined || concurrency === undefined) return undefined
  return { rpm, tpm, concurrency }
}

function readLimit(value: unknown): number | undefined {
  if (value === null || value === undefined) return 0
  const limit = Math.min(Math.floor(Number(value)), MOST_LIMIT)
  return limit > 0 ? limit : undefined
}
