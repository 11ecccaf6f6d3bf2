import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type Books, quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import {
  buy,
  call,
  closePlanBooks,
  DAY,
  daily,
  endNow,
  faults,
  hold,
  openPlanBooks,
  openTwoNodes,
  refund,
  refusal,
  renew,
  START,
  settle,
  setWallet,
  soldOf,
  spend,
  userOf,
} from '../../../test/services/plan-books.ts'
import { newUser } from '../../services/setup.ts'
import { endOf } from './period-end.ts'

afterEach(closePlanBooks)
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('a plan on %s', (_name, engine) => {
  const freshBooks = (): Promise<Books> => openPlanBooks(engine)

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

  test('bought again after a clock that was ahead has been set back, it has no day twice', async () => {
    const books = await freshBooks()
    const month = { ...daily, duration: 30 }
    await buy(books, month)
    expect(await renew(books, START + 20 * DAY)).toBe(1)
    await buy(books, month, START + DAY)
    const ends_at = endOf(START, { count: 60, unit: 'day' })
    expect(await soldOf(books)).toMatchObject([{ due_at: START + 21 * DAY, ends_at }])
    expect(await renew(books, START + 2 * DAY)).toBe(0)
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
    const whole = { ...daily, period: 'none' as const, most_each: 2 }
    await buy(books, whole)
    await spend(books, 'a', 490, START + 5)
    await buy(books, whole, START + DAY)
    expect(await quotaOf(books)).toBe(1510)
    expect(await refusal(buy(books, whole, START + DAY))).toContain('at most 2 times')
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
    // A call may have set the plan's own aside: what is left is then one's own.
    await buy(books, daily, START, 50)
    await settle(books, 'h', 0)
    expect(await refusal(buy(books, daily, START, 51))).toContain('too low')
    await buy(books, daily, START, 50)
    expect(await quotaOf(books)).toBe(500)
    await renew(books, START + 9 * DAY)
    await renew(books, START + 12 * DAY)
    expect(await quotaOf(books)).toBe(0)
    expect(await faults(books)).toEqual([])
  })

  test('many who buy for the first time at once, on two nodes, are not in each other’s way', async () => {
    const { one, two } = await openTwoNodes(engine)
    const people = Array.from({ length: 60 }, (_, at) => newUser(`buyer${at}`, 'x', 1))
    await one.store.db.insertInto('users').values(people).execute()
    const users = await one.store.db.selectFrom('users').select('id').execute()
    const sold = users.map(({ id }, at) => buy({ ...(at % 2 ? one : two), userId: id }))
    expect(await Promise.all(sold)).toHaveLength(61)
    expect(await faults(one)).toEqual([])
  }, 180_000)

  test('is one however many processes renew, sell and end it, while calls come and go', async () => {
    const { one: books, two: other } = await openTwoNodes(engine)
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
  }, 180_000)
})
