import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import type { SpendLimit } from '../../../contract/spend-limits.ts'
import { audit } from '../../../server/ledger/audit.ts'
import type { Books } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import {
  buy,
  closePlanBooks,
  DAY,
  daily,
  endNow,
  openPlanBooks,
  refusal,
  renew,
  START,
} from '../../../test/services/plan-books.ts'
import { setLimits } from '../spending/set-limits.ts'
import { lockWallet } from './wallet.ts'

afterEach(closePlanBooks)
afterAll(dropAll)

const limited = { ...daily, five_hour_quota: 120, week_quota: 300 }

const limitsOf = ({ store }: Books) =>
  store.db
    .selectFrom('spend_limits')
    .select(['id', 'subject', 'period', 'amount', 'spent'])
    .orderBy('id')
    .execute()

describe.each(engines.map(engine => [engine.name, engine] as const))('a plan’s limits on %s', (_, engine) => {
  test('are there while it runs, through its renewals, and not after it', async () => {
    const books = await openPlanBooks(engine)
    const { ledger, userId, store } = books
    await buy(books, limited)
    const rows = await limitsOf(books)
    expect(rows).toMatchObject([
      { subject: 'plan', period: 'five-hours', amount: 120, spent: 0 },
      { subject: 'plan', period: 'seven-days', amount: 300, spent: 0 },
    ])
    const call = { id: 'a', userId, tokenId: 0, limits: rows.map(({ id }) => id) }
    expect(await ledger.hold(call, { most: 500, least: 1, price: '{}' })).toBe(120)
    await ledger.settle(call, 100, undefined)
    // A further day of quota is no further day of limits.
    await renew(books, START + DAY)
    expect((await limitsOf(books)).map(({ spent }) => spent)).toEqual([100, 100])
    // The same plan lasts longer; with other limits it is another.
    await buy(books, limited, START + DAY)
    expect(await limitsOf(books)).toHaveLength(2)
    expect(await refusal(buy(books, { ...limited, week_quota: 0 }, START + DAY))).toContain('changed')
    await endNow(books, START + DAY + 9)
    expect(await limitsOf(books)).toEqual([])
    expect((await audit(store.db)).differences).toEqual([])
    await buy(books, daily, START + 2 * DAY)
    expect(await limitsOf(books)).toEqual([])
  })

  test('are none of the account’s own, whichever of the two is set', async () => {
    const books = await openPlanBooks(engine)
    const { userId, store } = books
    const account = { userId, subject: 'account', memberId: 0 } as const
    const set = (limits: readonly SpendLimit[]) =>
      store.transaction(async transaction => {
        await lockWallet({ transaction, engine: store.engine, now: START }, userId)
        await setLimits(transaction, account, limits, START)
      })
    const kinds = async () => (await limitsOf(books)).map(({ subject, period }) => `${subject} ${period}`)
    await set([{ period: 'day', amount: 50 }])
    await buy(books, limited)
    expect(await kinds()).toEqual(['account day', 'plan five-hours', 'plan seven-days'])
    await set([])
    expect(await kinds()).toEqual(['plan five-hours', 'plan seven-days'])
    await set([{ period: 'five-hours', amount: 50 }])
    expect((await limitsOf(books)).map(({ amount }) => amount)).toEqual([120, 300, 50])
    await endNow(books, START + 9)
    expect(await kinds()).toEqual(['account five-hours'])
  })
})
