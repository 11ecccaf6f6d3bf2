import type { EntryLog } from '../entries.ts'
import { AT_ONCE, claimDue } from './claim.ts'
import { limitBy } from './limit-by.ts'
import {
  type Books,
  type Held,
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

/** In one statement. */
const ROWS = 500

/**
 * Ends a plan now: what is left of its period leaves the wallet, and its owner has the former group again, unless they
 * were given another meanwhile. Of what calls under way have set aside as much as is missing in the wallet is owed.
 * Answers what is taken back, now or later.
 */
export async function end(
  books: Books,
  wallet: Wallet,
  subscription: Subscription,
  describe: (taken: number) => EntryLog,
): Promise<number> {
  const { now } = books
  await claimDue(books, wallet)
  const period = await lastPeriod(books, subscription)
  const holds = await openHolds(books, wallet.userId)
  // What an administrator has taken out of the wallet is not there to be taken again.
  const rest = Math.min(restOf(period, wallet), wallet.quota + sumOf(holds))
  const taken = Math.min(rest, wallet.quota)
  const owed = rest - taken
  const ref = `${subscription.id}:${period.no}`
  await move(books, wallet, { kind: 'allowance-end', ref }, -taken, describe(rest))
  const spent = wallet.used_quota - period.used_before
  await setPeriod(books, period, { ended_at: now, spent, returned: taken })
  if (owed > 0) await waitFor(books, subscription, holds)
  const due_at = owed > 0 ? AT_ONCE : 0
  await setSubscription(books, subscription, {
    state: subscriptionStates.ended,
    ended_at: now,
    owed,
    due_at,
  })
  await limitBy(books, wallet, { five_hour_quota: 0, week_quota: 0 })
  await leaveGroup(books, wallet, subscription)
  return rest
}

async function waitFor({ transaction }: Books, { id }: Subscription, holds: readonly Held[]): Promise<void> {
  const rows = holds.map(hold => ({ hold_id: hold.id, subscription_id: id, waiting: 1 }))
  for (let at = 0; at < rows.length; at += ROWS)
    await transaction
      .insertInto('subscription_holds')
      .values(rows.slice(at, at + ROWS))
      .execute()
}

async function leaveGroup({ transaction }: Books, wallet: Wallet, subscription: Subscription): Promise<void> {
  const { group, former_group } = subscription
  if (group === '' || wallet.group !== group || former_group === group) return
  await transaction
    .updateTable('users')
    .set({ group: former_group })
    .where('id', '=', wallet.userId)
    .execute()
  wallet.group = former_group
}
