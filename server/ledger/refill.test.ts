import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { openSampleStore, sampleToken } from '../../test/sample-store.ts'
import { type Books, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { Store } from '../store/index.ts'
import { audit } from './audit.ts'
import { setBudget } from './budget.ts'
import { refillDue } from './refill.ts'
import { nextRefill } from './refill-period.ts'
import { refundCharge } from './refund.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const DAY = 86_400
/** When the day ends that the books are in. */
const END = nextRefill('day', now())
/** Days are not all equally long. */
const nextEnd = (at: number): number => nextRefill('day', at)
const price = '{}'

describe.each(engines.map(engine => [engine.name, engine] as const))('a renewal on %s', (_name, engine) => {
  async function freshBooks(): Promise<Books> {
    const books = await openBooks(await engine.freshUrl())
    open.push(books.store)
    await books.store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
    return books
  }

  let made = 0
  /** A token with this budget that renews to 500 at the day's end. */
  async function addToken({ store, userId }: Books, budget: number, more: object = {}): Promise<number> {
    const key_hash = `t${++made}`
    const renewing = { refill_quota: 500, refill_period: 'day' as const, refill_at: END }
    await store.db
      .insertInto('tokens')
      .values(sampleToken({ user_id: userId, key_hash, ...renewing, ...more }))
      .execute()
    const { id } = await store.db
      .selectFrom('tokens')
      .select('id')
      .where('key_hash', '=', key_hash)
      .executeTakeFirstOrThrow()
    await store.transaction(own => setBudget(own, now(), { tokenId: id, userId, former: 0, to: budget }))
    return id
  }

  const tokenOf = ({ store }: Books, id: number) =>
    store.db
      .selectFrom('tokens')
      .select(['remain_quota', 'used_quota', 'status', 'refill_at', 'refilled_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const remainOf = async (books: Books, id: number) => (await tokenOf(books, id)).remain_quota
  const refillsOf = ({ store }: Books) =>
    store.db
      .selectFrom('ledger_entries')
      .select(['ref', 'token_amount'])
      .where('kind', '=', 'refill')
      .orderBy('ref')
      .execute()
  const faults = async ({ store }: Books) => (await audit(store.db)).differences

  test('makes what remains the amount again, whether little was left or much, and wakes who had nothing', async () => {
    const books = await freshBooks()
    const spent = await addToken(books, 0, { status: 4, used_quota: 500 })
    const some = await addToken(books, 120)
    const much = await addToken(books, 9000)
    const off = await addToken(books, 7, { status: 2 })
    const past = await addToken(books, 7, { status: 3 })
    const free = await addToken(books, 0, { unlimited_quota: 1 })
    const gone = await addToken(books, 3, { deleted_at: 5 })
    const never = await addToken(books, 3, { refill_period: 'none', refill_at: 0 })
    expect(await refillDue(books.store, END - 1)).toBe(0)
    expect(await refillDue(books.store, END)).toBe(6)
    const renewed = { remain_quota: 500, used_quota: 0, refill_at: nextEnd(END), refilled_at: END }
    expect(await tokenOf(books, spent)).toEqual({ ...renewed, used_quota: 500, status: 1 })
    for (const id of [some, much, free]) expect(await tokenOf(books, id)).toEqual({ ...renewed, status: 1 })
    expect(await tokenOf(books, off)).toEqual({ ...renewed, status: 2 })
    expect(await tokenOf(books, past)).toEqual({ ...renewed, status: 3 })
    for (const id of [gone, never])
      expect(await tokenOf(books, id)).toMatchObject({ remain_quota: 3, refill_at: 0, refilled_at: 0 })
    expect(await refillDue(books.store, END + 1)).toBe(0)
    expect((await refillsOf(books)).map(entry => entry.token_amount).sort((a, b) => a - b)).toEqual([
      -8500, 380, 493, 493, 500, 500,
    ])
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('comes once, however long nobody was there, and once for an end that a clock brings again', async () => {
    const books = await freshBooks()
    const id = await addToken(books, 10)
    const later = END + 5 * DAY + 100
    expect(await refillDue(books.store, later)).toBe(1)
    expect(await tokenOf(books, id)).toMatchObject({ remain_quota: 500, refill_at: nextEnd(later) })
    expect(await refillsOf(books)).toEqual([{ ref: `${id}:${END}`, token_amount: 490 }])
    // Set back, with a day's end before it that has been.
    await books.store.transaction(async own => {
      await setBudget(own, now(), { tokenId: id, userId: books.userId, former: 500, to: 20 })
      await own.updateTable('tokens').set({ refill_at: END }).execute()
    })
    expect(await refillDue(books.store, END + 1)).toBe(0)
    expect(await tokenOf(books, id)).toMatchObject({ remain_quota: 20, refill_at: nextEnd(END) })
    expect(await refillsOf(books)).toHaveLength(1)
    // From years ahead: nobody has to wait for those.
    const years = END + 3650 * DAY
    expect(await refillDue(books.store, years)).toBe(1)
    expect(await tokenOf(books, id)).toMatchObject({ remain_quota: 500, refill_at: nextEnd(years) })
    const back = nextEnd(END) + 1
    expect(await refillDue(books.store, back)).toBe(0)
    expect(await tokenOf(books, id)).toMatchObject({ remain_quota: 500, refill_at: nextEnd(back) })
    expect(await faults(books)).toEqual([])
  })

  test('does not wait for the day or the week of a clock that was ahead for some weeks', async () => {
    const books = await freshBooks()
    const daily = await addToken(books, 10)
    const weekly = await addToken(books, 10, { refill_period: 'week', refill_at: END + 1 })
    const monthly = await addToken(books, 10, { refill_period: 'month', refill_at: END + 20 * DAY })
    expect(await refillDue(books.store, END + 15 * DAY)).toBe(2)
    expect(await refillDue(books.store, END, true)).toBe(0)
    expect(await tokenOf(books, daily)).toMatchObject({ remain_quota: 500, refill_at: nextEnd(END) })
    expect(await tokenOf(books, weekly)).toMatchObject({ refill_at: nextRefill('week', END) })
    expect(await tokenOf(books, monthly)).toMatchObject({ remain_quota: 10, refill_at: END + 20 * DAY })
    expect(await refillDue(books.store, nextEnd(END))).toBeGreaterThanOrEqual(1)
    expect(await tokenOf(books, daily)).toMatchObject({ refilled_at: nextEnd(END) })
    expect(await faults(books)).toEqual([])
  })

  test('leaves what calls under way had set aside to the period that ended', async () => {
    const books = await freshBooks()
    const { ledger, userId, store } = books
    const tokenId = await addToken(books, 500)
    const of = (id: string) => ({ id, userId, tokenId })
    for (const id of ['less', 'more', 'given', 'grown', 'dead'])
      expect(await ledger.hold(of(id), { most: 100, least: 1, price })).toBe(100)
    await ledger.checkpoint(of('dead'), 40)
    expect(await remainOf(books, tokenId)).toBe(0)
    await refillDue(store, END)
    expect(await remainOf(books, tokenId)).toBe(500)
    expect(await faults(books)).toEqual([])
    expect(await ledger.hold(of('new'), { most: 100, least: 1, price })).toBe(100)

    // Nothing comes back to the new budget, and only what goes beyond is taken from it.
    expect(await ledger.settle(of('less'), 30, undefined)).toBe(30)
    await ledger.release(of('given'))
    expect(await remainOf(books, tokenId)).toBe(400)
    expect(await ledger.settle(of('more'), 130, undefined)).toBe(130)
    expect(await remainOf(books, tokenId)).toBe(370)
    expect(await ledger.extend(of('grown'), { to: 150, least: 150 })).toBe(150)
    expect(await remainOf(books, tokenId)).toBe(320)
    expect(await ledger.settle(of('grown'), 110, undefined)).toBe(110)
    expect(await remainOf(books, tokenId)).toBe(360)
    await store.db.updateTable('holds').set({ node_id: 'gone' }).where('id', '=', 'dead').execute()
    await ledger.reap(of('dead'), undefined as never)
    expect(await remainOf(books, tokenId)).toBe(360)
    expect(await ledger.settle(of('new'), 60, undefined)).toBe(60)
    expect(await tokenOf(books, tokenId)).toMatchObject({ remain_quota: 400, used_quota: 370, status: 1 })
    expect(await quotaOf(books)).toBe(1000 - 370)
    expect(await faults(books)).toEqual([])
  })

  test('leaves what is held on a budget that it does not renew', async () => {
    const books = await freshBooks()
    const { ledger, userId, store } = books
    const renewed = await addToken(books, 500)
    const gone = await addToken(books, 500)
    for (const tokenId of [renewed, gone])
      await ledger.hold({ id: `of ${tokenId}`, userId, tokenId }, { most: 100, least: 1, price })
    // Deleted in a version that left the time of its renewal.
    await store.db.updateTable('tokens').set({ deleted_at: 5 }).where('id', '=', gone).execute()
    expect(await refillDue(store, END)).toBe(1)
    const held = await store.db.selectFrom('holds').select(['token_id', 'token_amount']).execute()
    expect(new Map(held.map(hold => [hold.token_id, hold.token_amount]))).toEqual(
      new Map([
        [renewed, 0],
        [gone, 100],
      ]),
    )
    await ledger.settle({ id: `of ${gone}`, userId, tokenId: gone }, 30, undefined)
    expect(await remainOf(books, gone)).toBe(470)
    expect(await faults(books)).toEqual([])
  })

  test('a refund gives a budget back what came from it, and nothing that came from one before', async () => {
    const books = await freshBooks()
    const { ledger, userId, store } = books
    const tokenId = await addToken(books, 500)
    const refund = (id: string, at: number) =>
      store.transaction(own =>
        refundCharge(own, store, at, {
          requestId: id,
          channelId: 0,
          describe: () => ({ type: 4, content: '' }),
        }),
      )
    for (const id of ['before', 'after']) {
      await ledger.hold({ id, userId, tokenId }, { most: 100, least: 1, price })
      await ledger.settle({ id, userId, tokenId }, 100, undefined)
    }
    await refillDue(store, END)
    await store.db
      .updateTable('holds')
      .set({ updated_at: END + 1 })
      .where('id', '=', 'after')
      .execute()
    expect(await refund('before', END + 5)).toBe(100)
    expect(await tokenOf(books, tokenId)).toMatchObject({ remain_quota: 500, used_quota: 100 })
    expect(await refund('after', END + 5)).toBe(100)
    expect(await tokenOf(books, tokenId)).toMatchObject({ remain_quota: 600, used_quota: 0 })
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('is one however many processes see to it, while calls come and go', async () => {
    const url = await engine.freshUrl()
    const books = await openBooks(url)
    open.push(books.store)
    const { ledger, userId, store } = books
    await store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
    const other = await openSampleStore(url)
    open.push(other)
    const ids: number[] = []
    for (let at = 0; at < 60; at++) ids.push(await addToken(books, at))
    const calls = ids.map(async (tokenId, at) => {
      const request = { id: `r${at}`, userId, tokenId }
      if (!(await ledger.hold(request, { most: 10, least: 1, price }).catch(() => 0))) return
      await Bun.sleep(at % 20)
      await ledger.settle(request, 5, undefined)
    })
    const renewals = [store, other, store, other].map(one => refillDue(one, END))
    const counts = await Promise.all(renewals)
    await Promise.all(calls)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(await refillsOf(books)).toHaveLength(60)
    for (const id of ids) expect(await remainOf(books, id)).toBeWithin(495, 501)
    expect(await faults(books)).toEqual([])
  })
})
