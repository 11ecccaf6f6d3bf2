import { afterAll, expect, test } from 'bun:test'
import { dropAll, engines } from '../../test/services/databases.ts'
import { readEnv } from '../env.ts'
import { credit } from '../ledger/entries.ts'
import { Ledger } from '../ledger/ledger.ts'
import type { PriceSnapshot } from '../ledger/price/price-snapshot.ts'
import { newUser } from '../services/setup.ts'
import { openStore, type Store } from '../store/index.ts'
import { unavailable } from '../store/store-error.ts'
import { Bill } from './bill.ts'

afterAll(dropAll)

const now = (): number => 1_800_000_000
const price: PriceSnapshot = {
  kind: 'call',
  price: 1,
  quotaPerUnit: 1,
  model: 'm',
  group: 'default',
  groupRatio: 1,
}

/** A user with 1000, on a disk that can be full: then neither the database nor the journal takes anything. */
async function openBooks() {
  const url = (await engines.find(({ name }) => name === 'sqlite')?.freshUrl()) ?? ''
  const secretKey = 'a-test-key-that-is-long-and-varied-0123456789'
  const store = await openStore({ ...readEnv({ DATABASE_URL: url }).database, secretKey })
  await store.db
    .insertInto('users')
    .values(newUser('ann', 'x', 1))
    .execute()
  await credit(store, now(), { kind: 'gift', ref: 'g', userId: 1, amount: 1000 })
  const disk = { isFull: false }
  const batch: Store['batch'] = (reads, decide) =>
    disk.isFull ? Promise.reject(unavailable('full')) : store.batch(reads, decide)
  const append = () => Promise.reject(new Error('ENOSPC'))
  const journal = { append, pending: () => [], clear: async () => {} }
  const ledger = new Ledger({ batch, journal, now, nodeId: () => 'n' })
  const bill = new Bill(ledger, { id: 'r', userId: 1, tokenId: 0 }, price)
  const quota = async () =>
    (await store.db.selectFrom('users').select('quota').executeTakeFirstOrThrow()).quota
  return { store, disk, ledger, bill, quota }
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
  const { store, disk, ledger, bill, quota } = await openBooks()
  await bill.hold(400, 1)
  disk.isFull = true
  expect(await failed(bill.settle(300, undefined))).toBe(true)
  if (isCancelled) expect(await failed(bill.cancel(undefined))).toBe(true)
  expect(await quota()).toBe(600)
  disk.isFull = false
  await ledger.replay()
  expect(await quota()).toBe(left)
  await store.close()
})

test('a bill is settled once, and what is settled cannot be cancelled', async () => {
  const { store, bill, quota } = await openBooks()
  await bill.hold(400, 1)
  expect(await bill.settle(300, undefined)).toBe(300)
  expect(await failed(bill.settle(100, undefined))).toBe(true)
  await bill.cancel(undefined)
  expect(await quota()).toBe(700)
  await store.close()
})
