import * as z from 'zod/mini'
import { quotaAmount } from './tokens.ts'

/** Within what while an amount may be spent. Five hours begin with the first call; the others are the calendar's. */
export const spendPeriods = ['none', 'five-hours', 'day', 'week', 'month'] as const
export type SpendPeriod = (typeof spendPeriods)[number]
export const spendPeriod = z.enum(spendPeriods)

export const spendLimit = z.object({ period: spendPeriod, amount: quotaAmount })
export type SpendLimit = z.output<typeof spendLimit>

/** What has been spent with what calls under way have set aside; `ends_at` is 0 where no window runs, or none ends. */
export const spendLimitView = z.object({
  period: spendPeriod,
  amount: z.int(),
  spent: z.int(),
  ends_at: z.int(),
})
export type SpendLimitView = z.output<typeof spendLimitView>
