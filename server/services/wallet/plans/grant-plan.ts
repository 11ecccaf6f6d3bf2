import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { durationUnits, planPeriods } from '../../../../contract/plans.ts'
import { AppError } from '../../../errors.ts'
import type { Terms } from '../../../ledger/subscription/check-sale.ts'
import { sell } from '../../../ledger/subscription/sell.ts'
import type { Schema } from '../../../store/schema.ts'
import type { App } from '../../app.ts'
import { checkGroup, type Plan } from './plan-changes.ts'
import { booksOf } from './sell-plan.ts'
import { paidWords, planWords } from './words.ts'

const kept = z.object({
  id: z.int(),
  title: z.string(),
  duration: z.int(),
  duration_unit: z.enum(durationUnits),
  quota: z.int(),
  period: z.enum(planPeriods),
  // Orders from before there were these have none.
  five_hour_quota: z._default(z.int(), 0),
  week_quota: z._default(z.int(), 0),
  group: z.string(),
  most_each: z.int(),
})

/** A plan as an order keeps it: whoever pays gets what they saw, however long that takes. */
export function writeTerms(plan: Plan): string {
  return JSON.stringify(kept.parse(plan))
}

export function titleIn(plan: string): string {
  return kept.parse(JSON.parse(plan)).title
}

interface Paid {
  readonly userId: number
  /** The order's. */
  readonly plan: string
  /** What was paid, as the log says it. */
  readonly paid: string
}

/**
 * Gives the plan that was paid for. False where it cannot begin any more, because another one runs by now, or it has
 * been bought as often as it may be: then nothing has changed, and what was paid is the buyer's to have otherwise.
 */
export async function grantPlan(
  app: App,
  transaction: Transaction<Schema>,
  { userId, plan, paid }: Paid,
): Promise<boolean> {
  const terms: Terms = kept.parse(JSON.parse(plan))
  try {
    checkGroup(app, terms.group)
    await sell(
      booksOf(app, transaction),
      { userId, plan: terms, told: paidWords(terms.title, paid) },
      planWords(app),
    )
    return true
  } catch (error) {
    if (error instanceof AppError && /^(plan\.|users\.unknown-group|row\.not-found)/.test(error.code))
      return false
    throw error
  }
}
