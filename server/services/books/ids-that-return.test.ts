import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { type OldBooks, openOldBooks } from '../../../test/services/old-books.ts'
import { checkIn } from '../../ledger/check-in.ts'
import { credit } from '../../ledger/entries.ts'
import { Ledger } from '../../ledger/ledger.ts'
import type { Move } from '../../ledger/moves.ts'
import { openBalances } from '../../ledger/opening.ts'
import { redeem } from '../../ledger/redeem.ts'
import { rewardInviter } from '../../ledger/wallet-moves.ts'
import { unavailable } from '../../store/store-error.ts'

const open: OldBooks[] = []
afterEach(async () => {
  for (const books of open.splice(0)) await books.end()
})
afterAll(dropAll)

const told = { type: 4, content: '' }

for (const engine of engines)
  describe(`an id that comes again after its month was closed, on ${engine.name}`, () => {
    /** A call of January, a refunded one, one that was given back; and January is closed. */
    async function openClosed() {
      const books = await openOldBooks(await engine.freshUrl())
      open.push(books)
      const [userId = 0] = books.userIds
      const began = books.clock.now
      const paid = books.newId()
      await books.ledger.pay({ id: paid, userId, tokenId: 0 }, { charge: 30, price: '{}', began }, undefined)
      const ids = { settled: await books.call(50), released: await books.call(0), paid }
      const refunded = await books.call(70)
      await books.refund(refunded)
      await books.store.db
        .insertInto('redemptions')
        .values({
          ...{ user_id: userId, key: 'code', status: 1, name: '', quota: 40, created_time: 1 },
          ...{ redeemed_time: 0, used_user_id: 0 },
        })
        .execute()
      await books.store.db
        .insertInto('top_ups')
        .values({
          ...{ user_id: userId, trade_no: 'order', amount: 1, quota: 5, money: 1, currency: '' },
          ...{ payment_method: 'wxpay', status: 'success', create_time: 1, complete_time: 1 },
        })
        .execute()
      const gifts = () => give(books, userId, began)
      expect(await gifts()).toEqual(['true', 'true', 'true', 'true', '40', 'true', 'true'])
      books.setDay('2026-05-20')
      await books.close()
      expect(await books.count('holds')).toBe(0)
      return { books, userId, began, ids: { ...ids, refunded }, gifts, before: await books.balances() }
    }

    test('moves nothing: calls', async () => {
      const { books, userId, began, ids, before } = await openClosed()
      const { ledger, journal } = books
      for (const id of Object.values(ids)) {
        const of = { id, userId, tokenId: 0 }
        const again: Move[] = [
          { kind: 'settle', ...of, charge: 9, log: undefined },
          { kind: 'settle', ...of, charge: 900, log: undefined, kept: true },
          { kind: 'release', ...of },
          { kind: 'reap', ...of, log: undefined },
          { kind: 'extend', ...of, to: 900, least: 1 },
          { kind: 'checkpoint', ...of, charge: 9 },
          { kind: 'pay', ...of, charge: 30, price: '{}', began, log: undefined, kept: true },
        ]
        journal.push(...again)
        await ledger.replay()
        expect(await books.refund(id)).toBe(0)
      }
      expect(await books.balances()).toBe(before)
      expect(await books.count('holds')).toBe(0)
      expect(await books.faults()).toEqual([])
    })

    test('is charged all the same where it is of a month that is not closed', async () => {
      const { books, userId } = await openClosed()
      books.setDay('2026-03-02')
      const move = { kind: 'pay', id: books.newId(), userId, tokenId: 0, charge: 30, price: '{}' } as const
      books.journal.push({ ...move, began: books.clock.now, log: undefined, kept: true })
      books.setDay('2026-05-20')
      await books.ledger.replay()
      expect(await books.entriesOf('charge')).toMatchObject([{ ref: move.id, user_amount: -30 }])
      expect(await books.faults()).toEqual([])
    })

    test('moves nothing: codes, orders, gifts and whatever else is given once', async () => {
      const { books, gifts, before } = await openClosed()
      expect(await gifts()).toEqual(['false', 'false', 'false', 'false', 'refused', 'refused', 'refused'])
      expect(await books.balances()).toBe(before)
      expect(await books.faults()).toEqual([])
    })

    test('cannot be a hold’s: one that could not be taken is not kept, only given back', async () => {
      const { books, userId } = await openClosed()
      const kept: Move[] = []
      const away = new Ledger({
        batch: () => Promise.reject(unavailable('away')),
        journal: { append: async move => void kept.push(move), pending: () => [], clear: async () => {} },
        ...{ now: () => books.clock.now, nodeId: () => 'n' },
      })
      const terms = { most: 5, least: 1, price: '{}' }
      const refusal = away.hold({ id: 'x', userId, tokenId: 0 }, terms).then(String, String)
      expect(await refusal).toContain('unavailable')
      expect(kept.map(({ kind }) => kind)).toEqual(['release'])
    })
  })

/** Everything that has an id of its own beside calls; in the same words each time. */
function give({ store, clock }: OldBooks, userId: number, at: number): Promise<string[]> {
  const attempts = [
    () => credit(store, clock.now, { kind: 'top-up', ref: 'order', userId, amount: 5 }),
    () => credit(store, clock.now, { kind: 'gift', ref: 'welcome', userId, amount: 5 }),
    () => credit(store, clock.now, { kind: 'plan', ref: 'sale', userId, amount: 5 }),
    () => checkIn(store, at, { userId, amount: 5 }, told),
    () => redeem(store, clock.now, { key: 'code', userId }, () => told),
    () =>
      store
        .transaction(own => rewardInviter(own, clock.now, { inviterId: userId, inviteeId: 77, reward: 5 }))
        .then(() => true),
    () =>
      store
        .transaction(own => openBalances(own, clock.now, [{ userId, tokenId: 0, amount: 5 }]))
        .then(() => true),
  ]
  return attempts.reduce<Promise<string[]>>(
    async (done, attempt) => [...(await done), await attempt().then(String, () => 'refused')],
    Promise.resolve([]),
  )
}
