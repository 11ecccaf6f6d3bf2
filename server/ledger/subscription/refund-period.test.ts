import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { type Books, quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import {
  buy,
  closePlanBooks,
  DAY,
  daily,
  endNow,
  faults,
  hold,
  openPlanBooks,
  refund,
  renew,
  renewRunning,
  START,
  settle,
  setWallet,
  soldOf,
  spend,
  userOf,
} from '../../../test/services/plan-books.ts'

afterEach(closePlanBooks)
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('a plan on %s', (_name, engine) => {
  const freshBooks = (): Promise<Books> => openPlanBooks(engine)

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

  test('nor where that is renewed before anybody has looked at the first', async () => {
    const books = await freshBooks()
    await setWallet(books, 0)
    await buy(books)
    await hold(books, 'long', 500)
    await renew(books, START + 3 * DAY)
    await buy(books, { ...daily, id: 2 }, START + 3 * DAY + 1)
    await settle(books, 'long', 200)
    await renewRunning(books, START + 4 * DAY + 1)
    // 200 were the first one's, and what it did not need is gone with it; the second one's day was not touched.
    expect(await quotaOf(books)).toBe(500)
    expect(await soldOf(books)).toMatchObject([{ owed: 0 }, { period_no: 2 }])
    await renew(books, START + 4 * DAY + 2)
    expect(await quotaOf(books)).toBe(500)
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
})
