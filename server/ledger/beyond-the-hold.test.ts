import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sampleToken } from '../../test/sample-store.ts'
import { type Books, chargesOf, logRow, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { Store } from '../store/index.ts'
import { audit } from './audit.ts'
import { setBudget } from './budget.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

async function addToken({ store, userId }: Books, budget: number | 'unlimited'): Promise<number> {
  const unlimited_quota = Number(budget === 'unlimited')
  const token = sampleToken({ user_id: userId, key_hash: 'k', unlimited_quota })
  await store.db.insertInto('tokens').values(token).execute()
  const { id: tokenId } = await store.db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
  if (budget !== 'unlimited')
    await store.transaction(own => setBudget(own, now(), { tokenId, userId, former: 0, to: budget }))
  return tokenId
}

const tokenOf = ({ store }: Books) =>
  store.db.selectFrom('tokens').select(['remain_quota', 'used_quota', 'status']).executeTakeFirstOrThrow()

const exhausted = 4

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'beyond a hold on %s',
  (_name, engine) => {
    const fresh = async (): Promise<Books> => {
      const books = await openBooks(await engine.freshUrl())
      open.push(books.store)
      return books
    }

    test('a charge takes from the wallet what is missing, and from the budget no more than it has', async () => {
      const books = await fresh()
      const { ledger, store, userId } = books
      const request = { id: 'r', userId, tokenId: await addToken(books, 150) }
      expect(await ledger.hold(request, { most: 100, least: 1, price: '' })).toBe(100)
      expect(await ledger.settle(request, 240, logRow(userId, 'r'))).toBe(240)
      expect(await quotaOf(books)).toBe(760)
      expect(await tokenOf(books)).toEqual({ remain_quota: 0, used_quota: 240, status: exhausted })
      expect(await chargesOf(books)).toEqual([{ ref: 'r', user_amount: -240, token_amount: -150 }])
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('a charge of which a client was told takes from a budget that is smaller by now what there is', async () => {
      const books = await fresh()
      const { ledger, store, userId, way } = books
      const request = { id: 'r', userId, tokenId: await addToken(books, 30) }
      way.isOpen = false
      expect(await ledger.pay(request, { charge: 50, price: '', began: now() }, undefined)).toBe(50)
      way.isOpen = true
      await ledger.replay()
      expect(await quotaOf(books)).toBe(950)
      expect(await tokenOf(books)).toMatchObject({ remain_quota: 0, status: exhausted })
      expect(await chargesOf(books)).toEqual([{ ref: 'r', user_amount: -50, token_amount: -30 }])
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('a token without a budget is not out of budget', async () => {
      const books = await fresh()
      const { ledger, userId } = books
      const request = { id: 'r', userId, tokenId: await addToken(books, 'unlimited') }
      await ledger.hold(request, { most: 100, least: 1, price: '' })
      await ledger.settle(request, 20, logRow(userId, 'r'))
      expect(await tokenOf(books)).toEqual({ remain_quota: 0, used_quota: 20, status: 1 })
    })

    test('whoever dies is charged the most that was certain, and never more than was set aside', async () => {
      const books = await fresh()
      const { ledger, store, userId } = books
      const [fell, rose] = ['fell', 'rose'].map(id => ({ id, userId, tokenId: 0 })) as [
        { id: string; userId: number; tokenId: number },
        { id: string; userId: number; tokenId: number },
      ]
      for (const request of [fell, rose]) await ledger.hold(request, { most: 100, least: 1, price: '' })
      // What was said first may come last.
      for (const charge of [40, 15]) await ledger.checkpoint(fell, charge)
      await ledger.checkpoint(rose, 700)
      for (const request of [fell, rose]) await ledger.reap(request, logRow(userId, request.id))
      expect(await chargesOf(books)).toEqual([
        { ref: 'fell', user_amount: -40, token_amount: 0 },
        { ref: 'rose', user_amount: -100, token_amount: 0 },
      ])
      expect(await quotaOf(books)).toBe(860)
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('the trail tells the most that was ever set aside, also when it was extended and is settled', async () => {
      const books = await fresh()
      const { ledger, store, userId } = books
      const request = { id: 'r', userId, tokenId: 0 }
      const heldOf = async () => (await store.db.selectFrom('holds').select('held').executeTakeFirst())?.held
      await ledger.hold(request, { most: 100, least: 1, price: '' })
      await ledger.extend(request, { to: 300, least: 1 })
      expect(await heldOf()).toBe(300)
      await ledger.settle(request, 20, logRow(userId, 'r'))
      expect(await heldOf()).toBe(300)
    })
  },
)
