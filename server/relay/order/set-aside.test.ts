import { afterAll, expect, test } from 'bun:test'
import { now, openBooks } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { Caller } from '../callers/caller.ts'
import { Bill } from './bill.ts'
import { Credit } from './credit.ts'
import type { Order } from './order.ts'
import { setAside } from './set-aside.ts'

afterAll(dropAll)

const price: PriceSnapshot = {
  kind: 'call',
  price: 1,
  quotaPerUnit: 1,
  model: 'm',
  group: 'default',
  groupRatio: 1,
}

/** Calls of a user who has 1000, and of whom that much is remembered. */
async function openCalls(remembered: number) {
  const url = (await engines.find(({ name }) => name === 'sqlite')?.freshUrl()) ?? ''
  const books = await openBooks(url)
  const { ledger, userId } = books
  const credit = new Credit()
  const caller = { userId, tokenId: 0, balance: remembered } as Caller
  const begin = (id: string, stream: boolean): Order => {
    const bill = new Bill(ledger, { id, userId, tokenId: 0 }, price, now())
    return { bill, admitted: { caller }, parts: { credit, ledger }, stream } as unknown as Order
  }
  return { ...books, begin }
}

test('a call is let out on what is remembered of a balance, and stopped where all of it cannot be held; the next one waits', async () => {
  const { store, begin } = await openCalls(10_000)
  const refused = Promise.withResolvers<unknown>()
  expect(setAside(begin('first', true), { most: 2000, least: 1 }, refused.resolve)).toBeUndefined()
  expect(await refused.promise).toMatchObject({ code: 'ledger.user-quota' })
  const second = setAside(begin('second', true), { most: 2000, least: 1 }, refused.resolve)
  expect(await second).toBe(1000)
  await store.close()
})

test('while the books are out of reach nobody has credit: what is answered then could not be paid', async () => {
  const { store, ledger, way, begin } = await openCalls(1_000_000)
  const begun = (id: string) => {
    const order = begin(id, false)
    expect(setAside(order, { most: 10, least: 1 }, () => {})).toBeUndefined()
    return order.bill
  }
  expect(begun('a').isHeld).toBe(false)
  way.isOpen = false
  const away = begin('b', true).bill.hold(1, 1)
  expect(await away.catch(() => 'away')).toBe('away')
  expect([ledger.isReachable, begun('c').isHeld]).toEqual([false, true])
  await store.close()
})
