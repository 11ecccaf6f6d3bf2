import { audit } from '../../server/ledger/audit.ts'
import { refundCharge } from '../../server/ledger/refund.ts'
import { bringUpToDate } from '../../server/ledger/subscription/bring-up-to-date.ts'
import type { Terms } from '../../server/ledger/subscription/check-sale.ts'
import { end } from '../../server/ledger/subscription/end.ts'
import { renewDue } from '../../server/ledger/subscription/renew-due.ts'
import { sell } from '../../server/ledger/subscription/sell.ts'
import { lockWallet, subscriptionsOf } from '../../server/ledger/subscription/wallet.ts'
import { setQuota } from '../../server/ledger/wallet-moves.ts'
import type { Store } from '../../server/store/index.ts'
import { openSampleStore } from '../sample-store.ts'
import { type Books, now, openBooks } from './books.ts'
import type { engines } from './databases.ts'

type Engine = (typeof engines)[number]

export const DAY = 86_400
export const START = now()
const price = '{}'
const row = { type: 4, content: '' }
const words = { renewed: () => row, ended: () => row }
export const daily: Terms = {
  ...{ id: 1, title: 'Daily', duration: 3, duration_unit: 'day' },
  ...{ quota: 500, period: 'day', group: '', most_each: 0, five_hour_quota: 0, week_quota: 0 },
}

const open: Store[] = []

export async function closePlanBooks(): Promise<void> {
  for (const store of open.splice(0)) await store.close()
}

/** Books whose user buys plans, on a database of their own. */
export async function openPlanBooks(engine: Engine, url?: string): Promise<Books> {
  const books = await openBooks(url ?? (await engine.freshUrl()))
  open.push(books.store)
  await books.store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
  return books
}

/** The same books, as two nodes see them. */
export async function openTwoNodes(engine: Engine): Promise<{ one: Books; two: Books }> {
  const url = await engine.freshUrl()
  const one = await openPlanBooks(engine, url)
  const two = { ...one, store: await openSampleStore(url) }
  open.push(two.store)
  return { one, two }
}

export const buy = ({ store, userId }: Books, plan: Terms = daily, at = START, quota?: number) =>
  store.transaction(transaction =>
    sell(
      { transaction, engine: store.engine, now: at },
      {
        userId,
        plan,
        told: row,
        ...(quota !== undefined && { price: { quota, ref: crypto.randomUUID() } }),
      },
      words,
    ),
  )
export const refusal = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => '',
    error => String(error),
  )
export const renew = ({ store }: Books, at: number) => renewDue(store, at, words)
export const endNow = ({ store, userId }: Books, at: number) =>
  store.transaction(async transaction => {
    const books = { transaction, engine: store.engine, now: at }
    const wallet = await lockWallet(books, userId)
    const found = await subscriptionsOf(books, userId).where('state', '=', 'running').executeTakeFirst()
    return wallet && found && end(books, wallet, found, () => row)
  })
/** The one that runs, and no other, as where an administrator looks at it. */
export const renewRunning = ({ store, userId }: Books, at: number) =>
  store.transaction(async transaction => {
    const books = { transaction, engine: store.engine, now: at }
    const wallet = await lockWallet(books, userId)
    const found = await subscriptionsOf(books, userId).where('state', '=', 'running').executeTakeFirst()
    if (wallet && found) await bringUpToDate(books, wallet, found, words)
  })
export const refund = ({ store }: Books, requestId: string, at: number) =>
  store.transaction(own => refundCharge(own, store, at, { requestId, channelId: 0, describe: () => row }))
export const setWallet = ({ store, userId }: Books, quota: number) =>
  store.transaction(own => setQuota(own, store, START, { userId, quota }, () => row))
export const call = ({ userId }: Books, id: string) => ({ id, userId, tokenId: 0 })
export const hold = (books: Books, id: string, most: number) =>
  books.ledger.hold(call(books, id), { most, least: 1, price })
export const settle = (books: Books, id: string, charge: number) =>
  books.ledger.settle(call(books, id), charge, undefined)
export async function spend(books: Books, id: string, charge: number, at = START): Promise<void> {
  await hold(books, id, charge)
  await settle(books, id, charge)
  await books.store.db.updateTable('holds').set({ updated_at: at }).where('id', '=', id).execute()
}
export const userOf = ({ store }: Books) => store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
export const soldOf = ({ store }: Books) =>
  store.db.selectFrom('subscriptions').selectAll().orderBy('id').execute()
export const faults = async ({ store }: Books) => (await audit(store.db)).differences
