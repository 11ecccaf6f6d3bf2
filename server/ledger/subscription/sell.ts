import { AppError } from '../../errors.ts'
import type { EntryLog } from '../entries.ts'
import { bringUpToDate, type PlanWords } from './bring-up-to-date.ts'
import { checkSale, type Terms } from './check-sale.ts'
import { limitBy } from './limit-by.ts'
import { endOf, periodEnd } from './period-end.ts'
import {
  type Books,
  lastPeriod,
  lockWallet,
  move,
  openHolds,
  restOf,
  type Subscription,
  setPeriod,
  setSubscription,
  subscriptionStates,
  subscriptionsOf,
  sumOf,
  type Wallet,
} from './wallet.ts'

export interface Sale {
  readonly userId: number
  readonly plan: Terms
  /** What the wallet pays for it, if it does; `ref` is the sale's own: what is paid under it is not sold again. */
  readonly price?: { readonly quota: number; readonly ref: string }
  /** What the buyer's log says. */
  readonly told: EntryLog
}

/**
 * Gives a user a plan, or one more duration of the same that runs. Wallet, allowance and group change together or not
 * at all; of several at once each finds what the others have left.
 */
export async function sell(books: Books, sale: Sale, words: PlanWords): Promise<Subscription> {
  const { userId, plan, price, told } = sale
  const wallet = await lockWallet(books, userId)
  if (!wallet || wallet.deleted_at !== null) throw new AppError('row.not-found')
  for (const due of await subscriptionsOf(books, userId).where('due_at', '>', 0).orderBy('id').execute())
    await bringUpToDate(books, wallet, due, words)
  const sold = await subscriptionsOf(books, userId).orderBy('id').execute()
  const last = sold.at(-1)
  if (price && last && (await isPaid(books, price.ref))) return last
  const running = checkSale(plan, sold, books.now)
  if (price) await takePrice(books, wallet, running, price, told)
  const row = price ? undefined : told
  return running ? extend(books, wallet, running, row) : begin(books, wallet, plan, row)
}

/** Its buyer did not hear of it, and has asked again. */
async function isPaid({ transaction }: Books, ref: string): Promise<boolean> {
  const entry = transaction.selectFrom('ledger_entries').select('ref')
  return (await entry.where('kind', '=', 'plan').where('ref', '=', ref).executeTakeFirst()) !== undefined
}

/** What is left of a plan's own quota buys nothing: it would outlive its period. */
async function takePrice(
  books: Books,
  wallet: Wallet,
  running: Subscription | undefined,
  { quota, ref }: NonNullable<Sale['price']>,
  told: EntryLog,
): Promise<void> {
  const rest = running ? restOf(await lastPeriod(books, running), wallet) : 0
  const own = wallet.quota + sumOf(await openHolds(books, wallet.userId)) - rest
  if (quota > Math.max(0, Math.min(own, wallet.quota))) throw new AppError('plan.balance')
  await move(books, wallet, { kind: 'plan', ref }, -quota, told)
}

async function begin(
  books: Books,
  wallet: Wallet,
  plan: Terms,
  told: EntryLog | undefined,
): Promise<Subscription> {
  const { transaction, now } = books
  const { userId } = wallet
  const { title, duration, duration_unit, quota, period, group, five_hour_quota, week_quota } = plan
  const ends_at = endOf(now, { count: duration, unit: duration_unit })
  const row = {
    ...{ title, duration, duration_unit, quota, period, group, five_hour_quota, week_quota },
    user_id: userId,
    plan_id: plan.id,
    former_group: group === '' ? '' : wallet.group,
    times: 1,
    state: subscriptionStates.running,
    period_no: 1,
    starts_at: now,
    ends_at,
    due_at: periodEnd({ starts_at: now, ends_at, period }, now),
  }
  await transaction.insertInto('subscriptions').values(row).execute()
  const { id } = await subscriptionsOf(books, userId).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  await move(books, wallet, { kind: 'allowance', ref: `${id}:1` }, quota, told)
  await transaction
    .insertInto('subscription_periods')
    .values({
      subscription_id: id,
      no: 1,
      user_id: userId,
      began_at: now,
      quota,
      used_before: wallet.used_quota,
    })
    .execute()
  await limitBy(books, wallet, row)
  if (group !== '' && group !== wallet.group)
    await transaction.updateTable('users').set({ group }).where('id', '=', userId).execute()
  return { ...row, id, ended_at: 0, owed: 0 }
}

/** It lasts longer; where its quota is for the whole of the time, there is more of that too. */
async function extend(
  books: Books,
  wallet: Wallet,
  running: Subscription,
  told: EntryLog | undefined,
): Promise<Subscription> {
  const times = running.times + 1
  const duration = { count: running.duration, unit: running.duration_unit }
  const ends_at = endOf(running.starts_at, duration, times)
  const more = running.period === 'none' ? running.quota : 0
  const ref = `${running.id}:${running.period_no}:${times}`
  await move(books, wallet, { kind: 'allowance', ref }, more, told)
  if (more > 0) {
    const period = await lastPeriod(books, running)
    await setPeriod(books, period, { quota: period.quota + more })
  }
  const longer = { ...running, times, ends_at }
  // Not before the period is over that was begun by a clock that was ahead.
  const due_at = Math.max(running.due_at, periodEnd(longer, books.now))
  await setSubscription(books, running, { times, ends_at, due_at })
  return { ...longer, due_at }
}
