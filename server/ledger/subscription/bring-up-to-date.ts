import type { EntryLog } from '../entries.ts'
import { claim, claimDue } from './claim.ts'
import { end } from './end.ts'
import { periodEnd } from './period-end.ts'
import {
  type Books,
  lastPeriod,
  move,
  openHolds,
  restOf,
  type Subscription,
  setPeriod,
  setSubscription,
  subscriptionStates,
  sumOf,
  type Wallet,
} from './wallet.ts'

/** How a user's log tells of it. */
export interface PlanWords {
  renewed(title: string, given: number, taken: number): EntryLog
  ended(title: string, taken: number): EntryLog
}

/** Does what is due: renews, ends, or takes back what is owed. */
export async function bringUpToDate(
  books: Books,
  wallet: Wallet,
  subscription: Subscription,
  words: PlanWords,
): Promise<void> {
  const { now } = books
  const { due_at, ends_at, state, title } = subscription
  if (due_at === 0 || due_at > now) return
  if (state === subscriptionStates.ended) await claim(books, wallet, subscription)
  else if (ends_at <= now || wallet.deleted_at !== null)
    await end(books, wallet, subscription, taken => words.ended(title, taken))
  else await renew(books, wallet, subscription, words)
}

/**
 * One period ends and the next begins, however many have passed since. What is put in is never less than what is taken
 * out, so the wallet always has it, whatever calls under way have set aside; those are of the new period.
 */
async function renew(
  books: Books,
  wallet: Wallet,
  subscription: Subscription,
  words: PlanWords,
): Promise<void> {
  const { transaction, now } = books
  const { id, period_no, quota, title, user_id } = subscription
  await claimDue(books, wallet)
  const period = await lastPeriod(books, subscription)
  const there = wallet.quota + sumOf(await openHolds(books, user_id))
  const returned = Math.min(restOf(period, wallet), there)
  const no = period_no + 1
  const told = words.renewed(title, quota, returned)
  await move(books, wallet, { kind: 'allowance', ref: `${id}:${no}` }, quota, told)
  if (returned > 0) await move(books, wallet, { kind: 'allowance-end', ref: `${id}:${period_no}` }, -returned)
  const spent = wallet.used_quota - period.used_before
  await setPeriod(books, period, { ended_at: now, spent, returned })
  const used_before = wallet.used_quota
  await transaction
    .insertInto('subscription_periods')
    .values({ subscription_id: id, no, user_id, began_at: now, quota, used_before })
    .execute()
  await setSubscription(books, subscription, { period_no: no, due_at: periodEnd(subscription, now) })
}
