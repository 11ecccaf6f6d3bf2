import { type Selectable, sql, type Transaction } from 'kysely'
import type { Store } from '../../store/index.ts'
import type { Holds } from '../../store/ledger-schema.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { SubscriptionPeriods, Subscriptions } from '../../store/plan-schema.ts'
import type { Schema, Users } from '../../store/schema.ts'
import { type Entry, type EntryLog, post } from '../entries.ts'
import { holdStates } from '../moves.ts'

export type Subscription = Selectable<Subscriptions>
export type Period = Selectable<SubscriptionPeriods>
export type Held = Pick<Selectable<Holds>, 'id' | 'amount'>

export const subscriptionStates = { running: 'running', ended: 'ended' } as const

/** A user's money, which nobody else moves before the transaction ends. Every move of it here is noted in it. */
export interface Wallet extends Pick<Selectable<Users>, 'quota' | 'used_quota' | 'group' | 'deleted_at'> {
  readonly userId: number
}

/** What a step works with. */
export interface Books {
  readonly transaction: Transaction<Schema>
  readonly engine: Store['engine']
  /** Seconds since 1970. */
  readonly now: number
}

/** First of all, for nothing may be read before that an engine would go on showing as it was then. */
export async function lockWallet(
  { transaction, engine }: Books,
  userId: number,
): Promise<Wallet | undefined> {
  const row = await transaction
    .selectFrom('users')
    .select(['quota', 'used_quota', 'group', 'deleted_at'])
    .where('id', '=', userId)
    .$call(lockedOn(engine))
    .executeTakeFirst()
  return row && { userId, ...row }
}

export async function move(
  { transaction, now }: Books,
  wallet: Wallet,
  entry: Pick<Entry, 'kind' | 'ref'>,
  by: number,
  row?: EntryLog,
): Promise<void> {
  // What is less by nothing is not minus nothing.
  await post(transaction, now, { ...entry, userId: wallet.userId }, by || 0, row)
  wallet.quota += by
}

/**
 * Whoever has locked the wallet is alone with them. To lock them too, MySQL would lock the gap in which those of every
 * new buyer come to stand, and of many at once most would be in each other's way.
 */
export function subscriptionsOf({ transaction }: Books, userId: number) {
  return transaction.selectFrom('subscriptions').selectAll().where('user_id', '=', userId)
}

export function lastPeriod({ transaction, engine }: Books, { id, period_no }: Subscription): Promise<Period> {
  return transaction
    .selectFrom('subscription_periods')
    .selectAll()
    .where('subscription_id', '=', id)
    .where('no', '=', period_no)
    .$call(lockedOn(engine))
    .executeTakeFirstOrThrow()
}

export async function setPeriod(
  { transaction }: Books,
  { subscription_id, no }: Period,
  set: Partial<Pick<Period, 'ended_at' | 'quota' | 'used_before' | 'spent' | 'returned'>>,
): Promise<void> {
  await transaction
    .updateTable('subscription_periods')
    .set(set)
    .where('subscription_id', '=', subscription_id)
    .where('no', '=', no)
    .execute()
}

export async function setSubscription(
  { transaction }: Books,
  { id }: Subscription,
  set: Partial<
    Pick<Subscription, 'state' | 'period_no' | 'times' | 'ends_at' | 'ended_at' | 'due_at' | 'owed'>
  >,
): Promise<void> {
  await transaction.updateTable('subscriptions').set(set).where('id', '=', id).execute()
}

/**
 * What calls under way have set aside, except what a plan that ended before waits for. The state is written out, so
 * that the index of the open ones serves.
 */
export function openHolds({ transaction }: Books, userId: number): Promise<Held[]> {
  return transaction
    .selectFrom('holds')
    .select(['id', 'amount'])
    .where('state', '=', sql.lit(holdStates.open))
    .where('user_id', '=', userId)
    .where('amount', '>', 0)
    .where('id', 'not in', holds =>
      holds.selectFrom('subscription_holds').select('hold_id').where('waiting', '=', 1),
    )
    .execute()
}

export const sumOf = (holds: readonly Held[]): number => holds.reduce((sum, { amount }) => sum + amount, 0)

/** What remains of a period that runs: its quota is spent before anything else that the wallet holds. */
export function restOf(
  { quota, used_before }: Pick<Period, 'quota' | 'used_before'>,
  { used_quota }: Pick<Wallet, 'used_quota'>,
): number {
  return Math.max(0, quota - Math.max(0, used_quota - used_before))
}
