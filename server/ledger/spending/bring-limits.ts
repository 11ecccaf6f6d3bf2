import type { Transaction } from 'kysely'
import type { SpendPeriod } from '../../../contract/spend-limits.ts'
import type { Schema } from '../../store/schema.ts'
import { checkAmount } from '../amount.ts'
import type { Limited } from './set-limits.ts'

/** A limit that comes from elsewhere, with what was spent there in the window that runs. */
export interface BroughtLimit {
  readonly of: Limited
  readonly period: SpendPeriod
  readonly amount: number
  readonly spent: number
  /** 0 where it never ends. */
  readonly endsAt: number
}

/** What was spent elsewhere is written down once more, beside the limit: no call here accounts for it. */
export async function bringLimits(
  transaction: Transaction<Schema>,
  limits: readonly BroughtLimit[],
  now: number,
): Promise<void> {
  await transaction
    .insertInto('spend_limits')
    .values(
      limits.map(({ of, period, amount, spent, endsAt }) => ({
        user_id: of.userId,
        subject: of.subject,
        member_id: of.memberId,
        period,
        amount: checkAmount(amount),
        spent: checkAmount(spent),
        ends_at: endsAt,
        brought: spent,
        brought_until: endsAt,
        created_at: now,
      })),
    )
    .execute()
}
