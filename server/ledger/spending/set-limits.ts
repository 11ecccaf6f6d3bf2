import type { Kysely, Transaction } from 'kysely'
import type { SpendLimit, SpendLimitView } from '../../../contract/spend-limits.ts'
import type { SpendLimits } from '../../store/ledger-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { checkAmount } from '../amount.ts'
import { isWindowOver } from './window.ts'

/** Whose spending it is that a limit is of. */
export interface Limited {
  readonly userId: number
  readonly subject: SpendLimits['subject']
  /** 0 where it is no member's. */
  readonly memberId: number
}

export function memberOf(teamId: number, memberId: number): Limited {
  return { userId: teamId, subject: 'member', memberId }
}

export function limitsOf(db: Kysely<Schema>, { userId, subject, memberId }: Limited) {
  return db
    .selectFrom('spend_limits')
    .select(['id', 'period', 'amount', 'spent', 'ends_at'])
    .where('user_id', '=', userId)
    .where('subject', '=', subject)
    .where('member_id', '=', memberId)
    .orderBy('id')
    .execute()
}

/**
 * Sets all limits of one subject; the account's row is locked by then. One that is there already keeps what was spent:
 * another amount is in force for calls under way too. A new one counts from the next call on.
 */
export async function setLimits(
  transaction: Transaction<Schema>,
  of: Limited,
  limits: readonly SpendLimit[],
  now: number,
): Promise<void> {
  const there = await limitsOf(transaction, of)
  for (const { id, period } of there)
    if (!limits.some(limit => limit.period === period))
      await transaction.deleteFrom('spend_limits').where('id', '=', id).execute()
  for (const { period, amount } of limits) {
    checkAmount(amount)
    const known = there.find(limit => limit.period === period)
    if (known)
      await transaction.updateTable('spend_limits').set({ amount }).where('id', '=', known.id).execute()
    else
      await transaction
        .insertInto('spend_limits')
        .values({
          user_id: of.userId,
          subject: of.subject,
          member_id: of.memberId,
          period,
          amount,
          created_at: now,
        })
        .execute()
  }
}

/** As it stands by the clock: what is over is not spent any more. */
export function viewLimit(
  { period, amount, spent, ends_at }: SpendLimitView & { readonly id?: number },
  now: number,
): SpendLimitView {
  return isWindowOver(period, ends_at, now)
    ? { period, amount, spent: 0, ends_at: 0 }
    : { period, amount, spent, ends_at }
}
