import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sampleToken } from '../../test/sample-store.ts'
import { type Books, chargesOf, logRow, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { audit } from './audit.ts'
import { setBudget } from './budget.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const terms = (charge: number) => ({ charge, price: '{"model":"m"}', began: now() - 7 })

async function addToken({ store, userId }: Books, remain: number): Promise<number> {
  await store.db
    .insertInto('tokens')
    .values(sampleToken({ user_id: userId, key_hash: 'k' }))
    .execute()
  const { id } = await store.db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
  await store.db
    .transaction()
    .execute(transaction => setBudget(transaction, now(), { tokenId: id, userId, former: 0, to: remain }))
  return id
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => (error as AppError).code,
  )

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'a call paid at once on %s',
  (_name, engine) => {
    const fresh = async (): Promise<Books> => {
      const books = await openBooks(await engine.freshUrl())
      open.push(books.store)
      return books
    }

    test('is charged once however often it is said, with its row, its hour and its trail', async () => {
      const books = await fresh()
      const { store, ledger, userId } = books
      const tokenId = await addToken(books, 500)
      const request = { id: 'r', userId, tokenId }
      const paid = [1, 2, 3].map(() => ledger.pay(request, terms(120), logRow(userId, 'r')))
      expect(await Promise.all(paid)).toEqual([120, 120, 120])
      expect(await ledger.pay(request, terms(99), undefined)).toBe(120)
      expect(await quotaOf(books)).toBe(880)
      expect(await chargesOf(books)).toEqual([{ ref: 'r', user_amount: -120, token_amount: -120 }])
      const hold = await store.db
        .selectFrom('holds')
        .select(['state', 'held', 'charge', 'created_at', 'updated_at'])
        .executeTakeFirst()
      expect(hold).toEqual({
        state: 'settled',
        held: 120,
        charge: 120,
        created_at: now() - 7,
        updated_at: now(),
      })
      const token = await store.db.selectFrom('tokens').select(['remain_quota', 'used_quota']).execute()
      expect(token).toEqual([{ remain_quota: 380, used_quota: 120 }])
      expect(await refusal(ledger.hold(request, { most: 1, least: 1, price: '' }))).toBe('ledger.closed')
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('is refused when wallet or budget do not reach, and moves nothing', async () => {
      const books = await fresh()
      const { ledger, userId, store } = books
      const tokenId = await addToken(books, 500)
      const request = { id: 'r', userId, tokenId }
      expect(await refusal(ledger.pay(request, terms(501), undefined))).toBe('ledger.token-quota')
      expect(await refusal(ledger.pay(request, terms(1001), undefined))).toBe('ledger.user-quota')
      expect(await refusal(ledger.pay({ ...request, userId: 77 }, terms(1), undefined))).not.toBe('')
      expect(await quotaOf(books)).toBe(1000)
      expect(await chargesOf(books)).toEqual([])
      // A token that was switched off meanwhile pays for what it began.
      await store.db.updateTable('tokens').set({ status: 2 }).execute()
      expect(await ledger.pay(request, terms(500), undefined)).toBe(500)
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('a hundred at once spend no more than there is', async () => {
      const books = await fresh()
      const { ledger, userId, store } = books
      const paid = Array.from({ length: 100 }, (_, at) =>
        refusal(ledger.pay({ id: `r${at}`, userId, tokenId: 0 }, terms(30), logRow(userId, `r${at}`))),
      )
      const answers = await Promise.all(paid)
      expect(answers.filter(code => code === '')).toHaveLength(33)
      expect(answers.filter(code => code === 'ledger.user-quota')).toHaveLength(67)
      expect(await quotaOf(books)).toBe(10)
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('waits in the journal while the database is away, and takes then what there is', async () => {
      const books = await fresh()
      const { ledger, userId, way, journal, store } = books
      expect(ledger.isReachable).toBe(true)
      way.isOpen = false
      for (const id of ['a', 'b'])
        expect(await ledger.pay({ id, userId, tokenId: 0 }, terms(600), logRow(userId, id))).toBe(600)
      expect(ledger.isReachable).toBe(false)
      way.isOpen = true
      const kept = journal.pending()
      await ledger.replay()
      journal.moves.push(...kept)
      await ledger.replay()
      expect(ledger.isReachable).toBe(true)
      expect(await quotaOf(books)).toBe(0)
      expect((await chargesOf(books)).map(({ user_amount }) => user_amount)).toEqual([-600, -400])
      expect((await audit(store.db)).differences).toEqual([])
    })

    test('that neither database nor journal takes is told as failed, and never charged', async () => {
      const books = await fresh()
      const { ledger, userId, way, journal } = books
      way.isOpen = false
      journal.isFull = true
      expect(await refusal(ledger.pay({ id: 'r', userId, tokenId: 0 }, terms(5), undefined))).toBe(
        'store.unavailable',
      )
      expect(ledger.waiting).toBe(0)
      way.isOpen = true
      await ledger.replay()
      expect(await quotaOf(books)).toBe(1000)
    })
  },
)
