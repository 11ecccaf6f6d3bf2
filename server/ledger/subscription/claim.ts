import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { holdStates } from '../moves.ts'
import {
  type Books,
  lastPeriod,
  move,
  type Subscription,
  setPeriod,
  setSubscription,
  subscriptionStates,
  subscriptionsOf,
  type Wallet,
} from './wallet.ts'

/** At the next look. */
export const AT_ONCE = 1
/** Seconds; what came back was spent meanwhile, and nobody knows when there will be something again. */
const SELDOM = 60

/** Before it is asked what a plan that runs has paid: of what the wallet has spent, those before it have paid a part. */
export async function claimDue(books: Books, wallet: Wallet): Promise<void> {
  const ended = await subscriptionsOf(books, wallet.userId)
    .where('state', '=', subscriptionStates.ended)
    .orderBy('id')
    .execute()
  for (const one of ended) if (one.due_at > 0 && one.due_at <= books.now) await claim(books, wallet, one)
}

/**
 * Takes back what calls that were under way at a plan's end had set aside of it, as they give it back. What they cost
 * is the plan's to pay. As long as one of them runs, no more is taken than is certain to be left over.
 */
export async function claim(books: Books, wallet: Wallet, subscription: Subscription): Promise<void> {
  const { transaction, now } = books
  let { owed } = subscription
  let stillHeld = 0
  let isWaiting = false
  for (const { id, state, charge, amount } of await waitedFor(transaction, subscription)) {
    if (state === holdStates.open) {
      stillHeld += amount ?? 0
      isWaiting = true
    } else owed -= await cover(transaction, subscription, id, Math.min(charge ?? 0, owed))
  }
  if (owed < subscription.owed) await leaveOut(books, wallet, subscription.owed - owed)
  const taken = Math.min(wallet.quota, Math.max(0, owed - stillHeld))
  if (taken > 0) {
    const period = await lastPeriod(books, subscription)
    const ref = `${subscription.id}:${period.no}:${crypto.randomUUID()}`
    await move(books, wallet, { kind: 'allowance-end', ref }, -taken)
    await setPeriod(books, period, { returned: period.returned + taken })
    owed -= taken
  }
  const isOver = owed === 0 || (wallet.deleted_at !== null && !isWaiting)
  const due_at = isOver ? 0 : isWaiting ? AT_ONCE : now + SELDOM
  if (owed === 0) await coverNoMore(transaction, subscription)
  await setSubscription(books, subscription, { owed, due_at })
}

/** One whose row is gone has cost nothing that anybody could still tell. */
function waitedFor(transaction: Transaction<Schema>, { id }: Subscription) {
  return transaction
    .selectFrom('subscription_holds as waiting')
    .leftJoin('holds', 'holds.id', 'waiting.hold_id')
    .select(['waiting.hold_id as id', 'holds.state', 'holds.charge', 'holds.amount'])
    .where('waiting.subscription_id', '=', id)
    .where('waiting.waiting', '=', 1)
    .orderBy('waiting.hold_id')
    .execute()
}

/** Says how much of what a call cost was paid by the plan, for the day that it is refunded. */
export async function cover(
  transaction: Transaction<Schema>,
  { id }: Pick<Subscription, 'id'>,
  holdId: string,
  covered: number,
): Promise<number> {
  await transaction
    .updateTable('subscription_holds')
    .set({ waiting: 0, covered })
    .where('hold_id', '=', holdId)
    .where('subscription_id', '=', id)
    .execute()
  return covered
}

/** The plan that runs by now has not paid that too. */
async function leaveOut(books: Books, { userId }: Wallet, covered: number): Promise<void> {
  const running = await subscriptionsOf(books, userId)
    .where('state', '=', subscriptionStates.running)
    .executeTakeFirst()
  if (!running) return
  const period = await lastPeriod(books, running)
  await setPeriod(books, period, { used_before: period.used_before + covered })
}

async function coverNoMore(transaction: Transaction<Schema>, { id }: Subscription): Promise<void> {
  await transaction
    .updateTable('subscription_holds')
    .set({ waiting: 0 })
    .where('subscription_id', '=', id)
    .where('waiting', '=', 1)
    .execute()
}
