import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openSampleStore } from '../../../test/sample-store.ts'
import { type Books, now, openBooks, quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { newUser } from '../../services/setup.ts'
import type { Store } from '../../store/index.ts'
import { audit } from '../audit.ts'
import { refundCharge } from '../refund.ts'
import { setQuota } from '../wallet-moves.ts'
import type { Terms } from './check-sale.ts'
import { end } from './end.ts'
import { renewDue } from './renew-due.ts'
import { sell } from './sell.ts'
import { lockWallet, subscriptionsOf } from './wallet.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const DAY = 86_400
const START = now()
const price = '{}'
const row = { type: 4, content: '' }
const words = { renewed: () => row, ended: () => row }
const daily: Terms = {
  ...{ id: 1, title: 'Daily', duration: 3, duration_unit: 'day' },
  ...{ quota: 500, period: 'day', group: '', most_each: 0 },
}

describe.each(engines.map(engine => [engine.name, engine] as const))('a plan on %s', (_name, engine) => {
  async function freshBooks(url?: string): Promise<Books> {
    const books = await openBooks(url ?? (await engine.freshUrl()))
    open.push(books.store)
    await books.store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
    return books
  }
  async function twoNodes(): Promise<{ one: Books; two: Books }> {
    const url = await engine.freshUrl()
    const one = await freshBooks(url)
    const two = { ...one, store: await openSampleStore(url) }
    open.push(two.store)
    return { one, two }
  }

  const buy = ({ store, userId }: Books, plan: Terms = daily, at = START, quota?: number) =>
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
  const refusal = (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => '',
      error => String(error),
    )
  const renew = ({ store }: Books, at: number) => renewDue(store, at, words)
  const endNow = ({ store, userId }: Books, at: number) =>
    store.transaction(async transaction => {
      const books = { transaction, engine: store.engine, now: at }
      const wallet = await lockWallet(books, userId)
      const found = await subscriptionsOf(books, userId).where('state', '=', 'running').executeTakeFirst()
      return wallet && found && end(books, wallet, found, () => row)
    })
  const refund = ({ store }: Books, requestId: string, at: number) =>
    store.transaction(own => refundCharge(own, store, at, { requestId, describe: () => row }))
  const setWallet = ({ store, userId }: Books, quota: number) =>
    store.transaction(own => setQuota(own, store, START, { userId, quota }, () => row))
  const call = ({ userId }: Books, id: string) => ({ id, userId, tokenId: 0 })
  const hold = (books: Books, id: string, most: number) =>
    books.ledger.hold(call(books, id), { most, least: 1, price })
  const settle = (books: Books, id: string, charge: number) =>
    books.ledger.settle(call(books, id), charge, undefined)
  async function spend(books: Books, id: string, charge: number, at = START): Promise<void> {
    await hold(books, id, charge)
    await settle(books, id, charge)
    await books.store.db.updateTable('holds').set({ updated_at: at }).where('id', '=', id).execute()
  }
  const userOf = ({ store }: Books) => store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const soldOf = ({ store }: Books) =>
    store.db.selectFrom('subscriptions').selectAll().orderBy('id').execute()
  const faults = async ({ store }: Books) => (await audit(store.db)).differences

  test('puts its quota into the wallet each day, takes what was left of the day before, and ends', async () => {
    const books = await freshBooks()
    expect(await buy(books)).toMatchObject({ ends_at: START + 3 * DAY, due_at: START + DAY })
    expect(await quotaOf(books)).toBe(1500)
    await spend(books, 'a', 120)
    expect(await renew(books, START + DAY - 1)).toBe(0)
    expect(await renew(books, START + DAY)).toBe(1)
    expect(await renew(books, START + DAY)).toBe(0)
    expect(await quotaOf(books)).toBe(1500)
    // More than the day has comes from what is one's own.
    await spend(books, 'b', 700, START + DAY + 5)
    expect(await renew(books, START + 2 * DAY + 9)).toBe(1)
    expect(await quotaOf(books)).toBe(1300)
    await spend(books, 'c', 500, START + 2 * DAY + 10)
    expect(await renew(books, START + 3 * DAY)).toBe(1)
    expect(await quotaOf(books)).toBe(800)
    expect(await soldOf(books)).toMatchObject([{ state: 'ended', due_at: 0, owed: 0, period_no: 3 }])
    expect(await renew(books, START + 90 * DAY)).toBe(0)
    expect(await faults(books)).toEqual([])
    const damage = { quota: 501, returned: 500 } as const
    await books.store.db.updateTable('subscription_periods').set(damage).where('no', '=', 2).execute()
    expect((await faults(books)).map(({ check, expected, found }) => ({ check, expected, found }))).toEqual([
      { check: 'allowances of plans = entries', expected: 1501, found: 1500 },
      { check: 'what plans took back = entries', expected: 880, found: 380 },
      { check: 'no plan took back what was spent', expected: 0, found: 500 },
    ])
  })

  test('is renewed once however long nobody was there, and not at all when it is over by then', async () => {
    const books = await freshBooks()
    await buy(books, { ...daily, duration: 10 })
    expect(await renew(books, START + 4 * DAY + 7)).toBe(1)
    expect(await quotaOf(books)).toBe(1500)
    expect(await soldOf(books)).toMatchObject([{ period_no: 2, due_at: START + 5 * DAY }])
    // A clock that is set back brings nothing again.
    expect(await renew(books, START + 2 * DAY)).toBe(0)
    expect(await renew(books, START + 100 * DAY)).toBe(1)
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('what calls under way have set aside is neither lost nor doubled when a day ends', async () => {
    const books = await freshBooks()
    await buy(books)
    await setWallet(books, 500)
    expect(await hold(books, 'long', 500)).toBe(500)
    await renew(books, START + DAY)
    // All of the day before is with the call, and nothing of it was spent: there is nothing to add.
    expect(await quotaOf(books)).toBe(0)
    await settle(books, 'long', 1)
    expect(await quotaOf(books)).toBe(499)
    await renew(books, START + 2 * DAY)
    expect(await quotaOf(books)).toBe(500)
    expect(await faults(books)).toEqual([])
  })

  test('what calls give back after its end is taken when they end, and what they cost it has paid', async () => {
    const books = await freshBooks()
    await buy(books)
    await hold(books, 'one', 800)
    await hold(books, 'two', 600)
    // 100 are in the wallet, 500 are left of the plan, 1000 are one's own.
    await renew(books, START + 3 * DAY)
    expect(await quotaOf(books)).toBe(0)
    expect(await soldOf(books)).toMatchObject([{ state: 'ended', owed: 400 }])
    expect(await faults(books)).toEqual([])
    await renew(books, START + 3 * DAY + 2)
    expect(await soldOf(books)).toMatchObject([{ owed: 400 }])
    await settle(books, 'one', 30)
    await renew(books, START + 3 * DAY + 4)
    // The other may yet cost all that it holds.
    expect(await soldOf(books)).toMatchObject([{ owed: 370 }])
    expect(await quotaOf(books)).toBe(770)
    await books.ledger.release(call(books, 'two'))
    await renew(books, START + 3 * DAY + 6)
    expect(await quotaOf(books)).toBe(1000)
    expect(await soldOf(books)).toMatchObject([{ owed: 0, due_at: 0 }])
    expect(await faults(books)).toEqual([])
    // What the plan had paid of a call is not paid out when that is refunded.
    expect(await refund(books, 'one', START + 3 * DAY + 9)).toBe(30)
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('what was spent before it could be taken is taken from what comes later', async () => {
    const books = await freshBooks()
    await setWallet(books, 0)
    await buy(books)
    await hold(books, 'whole', 500)
    await renew(books, START + 3 * DAY)
    await settle(books, 'whole', 1)
    // Quicker than whoever takes it back.
    await hold(books, 'next', 499)
    await renew(books, START + 3 * DAY + 2)
    expect(await soldOf(books)).toMatchObject([{ owed: 499 }])
    await settle(books, 'next', 99)
    await renew(books, START + 3 * DAY + 70)
    expect(await soldOf(books)).toMatchObject([{ owed: 99 }])
    expect(await quotaOf(books)).toBe(0)
    await setWallet(books, 300)
    await renew(books, START + 3 * DAY + 140)
    expect(await soldOf(books)).toMatchObject([{ owed: 0, due_at: 0 }])
    expect(await quotaOf(books)).toBe(201)
    expect(await faults(books)).toEqual([])
  })

  test('a process that died with its money set aside is settled like any other', async () => {
    const books = await freshBooks()
    await setWallet(books, 0)
    await buy(books)
    await hold(books, 'dead', 500)
    await books.ledger.checkpoint(call(books, 'dead'), 40)
    await endNow(books, START + 60)
    await books.ledger.reap(call(books, 'dead'), undefined as never)
    await renew(books, START + 62)
    expect(await quotaOf(books)).toBe(0)
    expect(await soldOf(books)).toMatchObject([{ owed: 0, ended_at: START + 60 }])
    expect(await faults(books)).toEqual([])
  })

  test('what it has paid of a call that outlives it is not what the next one has paid', async () => {
    const books = await freshBooks()
    const leftOf = async () => (await endNow(books, START + 3 * DAY + 9)) ?? -1
    await setWallet(books, 0)
    await buy(books)
    for (const id of ['long', 'other']) await hold(books, id, 250)
    await renew(books, START + 3 * DAY)
    expect(await soldOf(books)).toMatchObject([{ state: 'ended', owed: 500 }])
    await buy(books, { ...daily, id: 2 }, START + 3 * DAY + 1)
    expect(await quotaOf(books)).toBe(500)
    // Of the first plan's 500, the calls cost 300.
    await settle(books, 'long', 200)
    await renew(books, START + 3 * DAY + 2)
    await settle(books, 'other', 100)
    await spend(books, 'own', 40, START + 3 * DAY + 3)
    // Also where nobody has looked since.
    expect(await leftOf()).toBe(460)
    expect(await soldOf(books)).toMatchObject([{ owed: 0 }, { state: 'ended', owed: 0 }])
    expect(await quotaOf(books)).toBe(0)
    expect(await faults(books)).toEqual([])
  })

  test('a refund of such a call gives nothing that the next one has not paid', async () => {
    const books = await freshBooks()
    await setWallet(books, 0)
    await buy(books)
    for (const id of ['long', 'other']) await hold(books, id, 250)
    await renew(books, START + 3 * DAY)
    await buy(books, { ...daily, id: 2 }, START + 3 * DAY + 1)
    for (const id of ['long', 'other']) {
      await settle(books, id, 200)
      const at = { updated_at: START + 3 * DAY + 3 }
      await books.store.db.updateTable('holds').set(at).where('id', '=', id).execute()
      // Of the other one nobody has seen yet what it cost.
      if (id === 'long') await renew(books, START + 3 * DAY + 3)
    }
    await spend(books, 'own', 40, START + 3 * DAY + 4)
    for (const id of ['long', 'other']) expect(await refund(books, id, START + 3 * DAY + 5)).toBe(200)
    await renew(books, START + 3 * DAY + 6)
    expect(await quotaOf(books)).toBe(460)
    await renew(books, START + 4 * DAY + 1)
    expect(await quotaOf(books)).toBe(500)
    await spend(books, 'more', 60, START + 4 * DAY + 2)
    expect(await endNow(books, START + 4 * DAY + 3)).toBe(440)
    expect(await quotaOf(books)).toBe(0)
    expect((await userOf(books)).used_quota).toBe(100)
    expect(await faults(books)).toEqual([])
  })

  test('bought again after a clock that was ahead has been set back, it has no day twice', async () => {
    const books = await freshBooks()
    const month = { ...daily, duration: 30 }
    await buy(books, month)
    expect(await renew(books, START + 20 * DAY)).toBe(1)
    await buy(books, month, START + DAY)
    expect(await soldOf(books)).toMatchObject([{ due_at: START + 21 * DAY, ends_at: START + 60 * DAY }])
    expect(await renew(books, START + 2 * DAY)).toBe(0)
  })

  test('a refund of what a day that is over has paid is gone with that day; what was one’s own comes back', async () => {
    const books = await freshBooks()
    await spend(books, 'before', 100, START - 5)
    await buy(books)
    expect(await quotaOf(books)).toBe(1400)
    await spend(books, 'day', 450, START + 5)
    await spend(books, 'both', 200, START + 6)
    // Of 650, 500 were the plan's.
    await renew(books, START + DAY)
    expect(await quotaOf(books)).toBe(1250)
    await spend(books, 'now', 60, START + DAY + 5)
    expect(await refund(books, 'before', START + DAY + 9)).toBe(100)
    expect(await quotaOf(books)).toBe(1290)
    // Without it, 450 would have been spent: 50 of the 200 are the day's that is gone.
    expect(await refund(books, 'both', START + DAY + 9)).toBe(200)
    expect(await quotaOf(books)).toBe(1440)
    expect(await refund(books, 'day', START + DAY + 9)).toBe(450)
    expect(await quotaOf(books)).toBe(1440)
    expect(await refund(books, 'now', START + DAY + 9)).toBe(60)
    expect(await quotaOf(books)).toBe(1500)
    expect(await faults(books)).toEqual([])
    await renew(books, START + 2 * DAY)
    expect(await quotaOf(books)).toBe(1500)
    expect(await endNow(books, START + 2 * DAY + 1)).toBe(500)
    expect(await quotaOf(books)).toBe(1000)
    expect((await userOf(books)).used_quota).toBe(0)
    expect(await faults(books)).toEqual([])
  })

  test('a refund of what was charged just after a day began, by a clock that is behind, is of that day', async () => {
    const books = await freshBooks()
    await buy(books)
    await spend(books, 'a', 10, START + 5)
    await renew(books, START + DAY)
    await spend(books, 'b', 60, START + DAY - 2)
    expect(await refund(books, 'b', START + DAY + 9)).toBe(60)
    expect(await quotaOf(books)).toBe(1500)
    expect(await faults(books)).toEqual([])
    await spend(books, 'c', 70, START + DAY - 1)
    await renew(books, START + 2 * DAY)
    expect(await refund(books, 'c', START + 2 * DAY + 9)).toBe(70)
    expect(await endNow(books, START + 2 * DAY + 9)).toBe(500)
    expect(await quotaOf(books)).toBe(1000)
    // What was charged when there was no plan is of none.
    await spend(books, 'own', 300, START + 2 * DAY + 20)
    await buy(books, daily, START + 2 * DAY + 30)
    await spend(books, 'd', 400, START + 2 * DAY + 40)
    expect(await refund(books, 'own', START + 2 * DAY + 50)).toBe(300)
    expect(await endNow(books, START + 2 * DAY + 60)).toBe(100)
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('what an administrator took out of the wallet is not taken again, and each day still has its quota', async () => {
    const books = await freshBooks()
    await buy(books)
    await setWallet(books, 10)
    await renew(books, START + DAY)
    expect(await quotaOf(books)).toBe(500)
    await setWallet(books, 10)
    expect(await endNow(books, START + DAY + 9)).toBe(10)
    expect(await quotaOf(books)).toBe(0)
    expect(await faults(books)).toEqual([])
  })

  test('its owner has its group meanwhile, and the former one after it unless they were given another', async () => {
    const books = await freshBooks()
    const vip = { ...daily, group: 'vip' }
    await buy(books, vip)
    expect((await userOf(books)).group).toBe('vip')
    await buy(books, vip, START + DAY / 2)
    expect(await soldOf(books)).toMatchObject([{ times: 2, ends_at: START + 6 * DAY }])
    await renew(books, START + 6 * DAY)
    expect((await userOf(books)).group).toBe('default')
    await buy(books, vip, START + 7 * DAY)
    await books.store.db.updateTable('users').set({ group: 'svip' }).execute()
    await renew(books, START + 10 * DAY)
    expect((await userOf(books)).group).toBe('svip')
  })

  test('bought again it lasts longer; of the whole time’s quota there is more', async () => {
    const books = await freshBooks()
    const whole = { ...daily, period: 'none', most_each: 2 }
    await buy(books, whole)
    await spend(books, 'a', 490, START + 5)
    await buy(books, whole, START + DAY)
    expect(await quotaOf(books)).toBe(1510)
    expect(await refusal(buy(books, whole, START + DAY))).toContain('more often')
    expect(await refusal(buy(books, { ...whole, id: 2 }, START + DAY))).toContain('still running')
    expect(await refusal(buy(books, { ...whole, quota: 9, most_each: 0 }, START + DAY))).toContain('changed')
    expect(await renew(books, START + 6 * DAY - 1)).toBe(0)
    expect(await renew(books, START + 6 * DAY)).toBe(1)
    expect(await quotaOf(books)).toBe(1000)
    // One that is over by the clock keeps nobody from the next, also before anybody has looked.
    await buy(books, { ...daily, id: 2 }, START + 7 * DAY)
    expect(await buy(books, { ...daily, id: 3 }, START + 11 * DAY)).toMatchObject({ period_no: 1 })
    expect(await faults(books)).toEqual([])
  })

  test('is paid with one’s own money, never with a plan’s', async () => {
    const books = await freshBooks()
    await buy(books, daily, START, 900)
    expect(await quotaOf(books)).toBe(600)
    expect(await refusal(buy(books, daily, START, 101))).toContain('too low')
    await hold(books, 'h', 550)
    expect(await refusal(buy(books, daily, START, 51))).toContain('too low')
    await settle(books, 'h', 0)
    await buy(books, daily, START, 100)
    expect(await quotaOf(books)).toBe(500)
    await renew(books, START + 6 * DAY)
    expect(await quotaOf(books)).toBe(0)
    expect(await faults(books)).toEqual([])
  })

  test('many who buy for the first time at once, on two nodes, are not in each other’s way', async () => {
    const { one, two } = await twoNodes()
    const people = Array.from({ length: 60 }, (_, at) => newUser(`buyer${at}`, 'x', 1))
    await one.store.db.insertInto('users').values(people).execute()
    const users = await one.store.db.selectFrom('users').select('id').execute()
    const sold = users.map(({ id }, at) => buy({ ...(at % 2 ? one : two), userId: id }))
    expect(await Promise.all(sold)).toHaveLength(61)
    expect(await faults(one)).toEqual([])
  }, 60_000)

  test('is one however many processes renew, sell and end it, while calls come and go', async () => {
    const { one: books, two: other } = await twoNodes()
    const vip = { ...daily, group: 'vip', most_each: 1 }
    const bought = await Promise.allSettled(
      [books, other, books, other].map(one => buy(one, vip, START, 400)),
    )
    expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await quotaOf(books)).toBe(1100)
    const calls = Array.from({ length: 20 }, async (_, at) => {
      if (!(await hold(books, `r${at}`, 90).catch(() => 0))) return
      await Bun.sleep(at)
      await settle(books, `r${at}`, 5)
    })
    await Promise.all([books, other, books, other].map(one => renew(one, START + DAY)))
    await Promise.all([
      ...calls,
      ...[other, books].map(one => endNow(one, START + DAY + 1)),
      ...[books, other].map(one => renew(one, START + DAY + 2)),
    ])
    await renew(books, START + DAY + 100)
    const { quota, used_quota } = await userOf(books)
    expect(await soldOf(books)).toMatchObject([{ state: 'ended', owed: 0, times: 1 }])
    // What was spent while it ran, or with what it had set aside, it has paid; the rest of it is gone.
    const { rows } = await sql<{ paid: number | string }>`
      select coalesce(sum(paid), 0) as paid from (
        select spent as paid from subscription_periods union all select covered from subscription_holds
      ) both_kinds`.execute(books.store.db)
    expect(used_quota).toBeLessThanOrEqual(100)
    expect(quota).toBe(600 - (used_quota - Number(rows[0]?.paid)))
    expect(await faults(books)).toEqual([])
  }, 60_000)
})
