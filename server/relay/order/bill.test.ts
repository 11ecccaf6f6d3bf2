import { afterAll, expect, test } from 'bun:test'
import { now, openBooks, quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { Bill } from './bill.ts'

afterAll(dropAll)

const price: PriceSnapshot = {
  kind: 'call',
  price: 1,
  quotaPerUnit: 1,
  model: 'm',
  group: 'default',
  groupRatio: 1,
}

/** A user with 1000, on a disk that can be full: then neither the database nor the journal takes anything. */
async function openBill() {
  const url = (await engines.find(({ name }) => name === 'sqlite')?.freshUrl()) ?? ''
  const books = await openBooks(url)
  const { ledger, userId, way, journal } = books
  const bill = new Bill(ledger, { id: 'r', userId, tokenId: 0 }, price, now())
  const fill = (isFull: boolean): void => {
    way.isOpen = !isFull
    journal.isFull = isFull
  }
  return { ...books, bill, fill, quota: () => quotaOf(books) }
}

const failed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  )

test.each([
  ['an answer that nobody got because its charge was on no disk costs nothing in the end', true, 1000],
  ['one that was got all the same is charged when there is room again', false, 700],
])('%s', async (_name, isCancelled, left) => {
  const { store, fill, ledger, bill, quota } = await openBill()
  await bill.hold(400, 1)
  let told = 0
  bill.onClosed = () => told++
  fill(true)
  expect(await failed(bill.settle(300, undefined))).toBe(true)
  if (isCancelled) expect(await failed(bill.cancel(undefined))).toBe(true)
  expect(await quota()).toBe(600)
  fill(false)
  await ledger.replay()
  expect([await quota(), told]).toEqual([left, 1])
  await store.close()
})

test('an answer that is withheld is not charged by whoever finds room before it is cancelled', async () => {
  const { store, fill, ledger, bill, quota } = await openBill()
  await bill.hold(400, 1)
  await bill.held(false)
  fill(true)
  expect(await failed(bill.settle(300, undefined))).toBe(true)
  fill(false)
  await ledger.replay()
  await bill.cancel(undefined)
  expect(await quota()).toBe(1000)
  await store.close()
})

test('a bill is settled once, and what is settled cannot be cancelled', async () => {
  const { store, bill, quota } = await openBill()
  await bill.hold(400, 1)
  expect(await bill.settle(300, undefined)).toBe(300)
  expect(await failed(bill.settle(100, undefined))).toBe(true)
  await bill.cancel(undefined)
  expect(await quota()).toBe(700)
  await store.close()
})

test('a bill that nothing is held for is paid once, or ends without a charge', async () => {
  const { store, ledger, bill, quota, userId, fill } = await openBill()
  const ends: (number | 'refused')[] = []
  bill.holdNothing(400, charged => ends.push(charged))
  await bill.held(false)
  expect(await quota()).toBe(1000)
  expect(await bill.settle(300, undefined)).toBe(300)
  await bill.cancel(undefined)
  expect(await quota()).toBe(700)
  const next = (id: string): Bill => {
    const made = new Bill(ledger, { id, userId, tokenId: 0 }, price, now())
    made.holdNothing(1, charged => ends.push(charged))
    return made
  }
  const dear = next('dear')
  expect(await failed(dear.settle(701, undefined))).toBe(true)
  await dear.cancel(undefined)
  const unwritten = next('unwritten')
  fill(true)
  expect(await failed(unwritten.settle(100, undefined))).toBe(true)
  await unwritten.cancel(undefined)
  fill(false)
  await ledger.replay()
  expect(await quota()).toBe(700)
  await next('left').cancel(undefined)
  const flowing = next('flowing')
  await flowing.held(true)
  expect(await quota()).toBe(699)
  expect(await flowing.settle(50, undefined)).toBe(50)
  expect(await quota()).toBe(650)
  expect(ends).toEqual([300, 'refused', 0, 0, 0])
  await store.close()
})
