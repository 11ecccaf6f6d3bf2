import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../../contract/index.ts'
import type { SubscriptionView } from '../../../../contract/plans.ts'
import { AppError } from '../../../errors.ts'
import { bringUpToDate } from '../../../ledger/subscription/bring-up-to-date.ts'
import { end } from '../../../ledger/subscription/end.ts'
import { sell } from '../../../ledger/subscription/sell.ts'
import { lockWallet, subscriptionStates, subscriptionsOf } from '../../../ledger/subscription/wallet.ts'
import type { Schema } from '../../../store/schema.ts'
import { lockUser, outranks } from '../../accounts/lock-user.ts'
import type { App } from '../../app.ts'
import { recordAudit } from '../../audit-record.ts'
import type { CallOf } from '../../call.ts'
import { doOnce } from '../../once.ts'
import { readId } from '../../row-id.ts'
import { checkGroup, checkOnSale, lockPlan } from './plan-changes.ts'
import { oneSubscription } from './subscription-view.ts'
import { boughtWords, boundWords, endedWords, planWords } from './words.ts'

/** The balance pays: what is a dollar of quota elsewhere is a dollar of the price. */
export async function buyPlan(app: App, call: CallOf<Endpoints['buyPlan']>): Promise<SubscriptionView> {
  const { plan_id, purchase = crypto.randomUUID() } = call.body
  const ref = `${call.caller.id}:${purchase}`
  const { id } = await app.store.change('users', async transaction => {
    const plan = await lockPlan(app, transaction, plan_id)
    checkOnSale(app, plan)
    const told = boughtWords(app, plan.title, plan.price)
    const price = { quota: plan.price, ref }
    return sell(booksOf(app, transaction), { userId: call.caller.id, plan, price, told }, planWords(app))
  })
  return show(app, id)
}

/** An administrator gives it, on sale or not. */
export async function bindPlan(app: App, call: CallOf<Endpoints['bindPlan']>): Promise<SubscriptionView> {
  const { user_id: userId, plan_id } = call.body
  const id = await doOnce<number>(app, call, 'plan.bind', once =>
    app.store.change('users', async transaction => {
      await once.begin(transaction)
      const plan = await lockPlan(app, transaction, plan_id)
      checkGroup(app, plan.group)
      await requireOutranked(app, transaction, call.caller, userId)
      const sale = { userId, plan, told: boundWords(plan.title) }
      const sold = await sell(booksOf(app, transaction), sale, planWords(app))
      const { title, ends_at } = sold
      const event = { action: 'plan.bind', subject: `user:${userId}`, after: { title, ends_at } } as const
      await recordAudit(app, call, event, transaction)
      await once.end(transaction, sold.id)
      return sold.id
    }),
  )
  return show(app, id)
}

export async function endSubscription(
  app: App,
  call: CallOf<Endpoints['endSubscription']>,
): Promise<SubscriptionView> {
  const id = readId(call.params)
  const known = await oneSubscription(app, id)
  if (!known) throw new AppError('row.not-found')
  await app.store.change('users', async transaction => {
    await requireOutranked(app, transaction, call.caller, known.user_id)
    const books = booksOf(app, transaction)
    const wallet = await lockWallet(books, known.user_id)
    const find = () => subscriptionsOf(books, known.user_id).where('id', '=', id).executeTakeFirst()
    const due = await find()
    if (wallet && due) await bringUpToDate(books, wallet, due, planWords(app))
    const found = await find()
    if (!wallet || found?.state !== subscriptionStates.running) throw new AppError('plan.ended')
    const { title, ends_at } = found
    const taken = await end(books, wallet, found, rest => endedWords(app, title, rest))
    const event = {
      action: 'plan.end',
      subject: `user:${known.user_id}`,
      before: { title, ends_at },
      after: { taken },
    } as const
    await recordAudit(app, call, event, transaction)
  })
  return show(app, id)
}

async function requireOutranked(
  app: App,
  transaction: Transaction<Schema>,
  caller: { readonly role: number },
  userId: number,
): Promise<void> {
  const user = await lockUser(app, transaction, userId)
  if (!user) throw new AppError('users.unknown')
  if (!outranks(caller, user)) throw new AppError('users.edit-rank')
}

export function booksOf({ store, now }: Pick<App, 'store' | 'now'>, transaction: Transaction<Schema>) {
  return { transaction, engine: store.engine, now: now() }
}

async function show(app: App, id: number): Promise<SubscriptionView> {
  const view = await oneSubscription(app, id)
  if (!view) throw new AppError('row.not-found')
  return view
}
