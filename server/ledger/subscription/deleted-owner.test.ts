import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import {
  buy,
  closePlanBooks,
  DAY,
  daily,
  faults,
  hold,
  openPlanBooks,
  refusal,
  renew,
  START,
  settle,
  setWallet,
  soldOf,
} from '../../../test/services/plan-books.ts'

afterEach(closePlanBooks)
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('a plan on %s', (_name, engine) => {
  test('of an account that is deleted ends with its period, waits for calls under way, and is done with', async () => {
    const books = await openPlanBooks(engine)
    await buy(books)
    await hold(books, 'long', 1400)
    await books.store.db.updateTable('users').set({ deleted_at: START }).execute()
    expect(await renew(books, START + DAY)).toBe(1)
    expect(await soldOf(books)).toMatchObject([{ state: 'ended', period_no: 1, owed: 400 }])
    expect(await quotaOf(books)).toBe(0)
    // Nobody pays for what nobody can use.
    expect(await refusal(buy(books, { ...daily, id: 2 }, START + DAY))).toContain('not found')
    expect(await renew(books, START + DAY + 2)).toBe(1)
    expect(await soldOf(books)).toMatchObject([{ owed: 400 }])
    await settle(books, 'long', 150)
    await setWallet(books, 0)
    expect(await renew(books, START + DAY + 4)).toBe(1)
    expect(await soldOf(books)).toMatchObject([{ owed: 250, due_at: 0 }])
    expect(await renew(books, START + 90 * DAY)).toBe(0)
    expect(await faults(books)).toEqual([])
  })
})
