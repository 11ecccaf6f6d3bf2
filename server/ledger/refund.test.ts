import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sampleInsert } from '../../test/relay/sample-channels.ts'
import { sampleToken } from '../../test/sample-store.ts'
import { type Books, logRow, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { Store } from '../store/index.ts'
import { audit } from './audit.ts'
import { setBudget } from './budget.ts'
import { tokenStates } from './moves.ts'
import { refundCharge } from './refund.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('a refund on %s', (_name, engine) => {
  async function fresh(): Promise<Books> {
    const books = await openBooks(await engine.freshUrl())
    open.push(books.store)
    await books.store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
    return books
  }

  async function addToken({ store, userId }: Books, budget: number): Promise<number> {
    await store.db
      .insertInto('tokens')
      .values(sampleToken({ user_id: userId, key_hash: 't' }))
      .execute()
    const { id } = await store.db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
    await store.transaction(own => setBudget(own, now(), { tokenId: id, userId, former: 0, to: budget }))
    return id
  }

  const charge = async ({ ledger, userId }: Books, id: string, tokenId: number, amount: number) => {
    const request = { id, userId, tokenId }
    await ledger.hold(request, { most: amount, least: amount, price: '{}' })
    await ledger.settle(request, amount, { ...logRow(userId, id), token_id: tokenId, channel_id: 5 })
  }
  const refund = ({ store }: Books, requestId: string, channelId = 0) =>
    store.transaction(own =>
      refundCharge(own, store, now(), { requestId, channelId, describe: () => ({ type: 4, content: '' }) }),
    )
  const tokenOf = ({ store }: Books) =>
    store.db.selectFrom('tokens').select(['remain_quota', 'used_quota', 'status']).executeTakeFirstOrThrow()
  const faults = async ({ store }: Books) => (await audit(store.db)).differences

  test('gives nothing to a budget that was renewed in the second of the charge', async () => {
    const books = await fresh()
    const tokenId = await addToken(books, 100)
    await charge(books, 'r', tokenId, 100)
    await books.store.db.updateTable('tokens').set({ refilled_at: now() }).execute()
    expect(await refund(books, 'r')).toBe(100)
    expect(await tokenOf(books)).toMatchObject({ remain_quota: 0, used_quota: 0 })
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('wakes a token that had run out, and only one that gets something back', async () => {
    const books = await fresh()
    const tokenId = await addToken(books, 100)
    await charge(books, 'a', tokenId, 40)
    await charge(books, 'b', tokenId, 60)
    expect(await tokenOf(books)).toEqual({
      remain_quota: 0,
      used_quota: 100,
      status: tokenStates.exhausted,
    })
    await books.store.db.updateTable('holds').set({ updated_at: 5 }).where('id', '=', 'a').execute()
    await books.store.db.updateTable('tokens').set({ refilled_at: 9 }).execute()
    await refund(books, 'a')
    expect(await tokenOf(books)).toMatchObject({ remain_quota: 0, status: tokenStates.exhausted })
    await refund(books, 'b')
    expect(await tokenOf(books)).toMatchObject({ remain_quota: 60, status: tokenStates.enabled })
    expect(await faults(books)).toEqual([])
  })

  test('of what is not charged yet is not decided; it comes when it is asked for after the charge', async () => {
    const books = await fresh()
    const { ledger, userId, store } = books
    const request = { id: 'r', userId, tokenId: 0 }
    await ledger.hold(request, { most: 100, least: 100, price: '{}' })
    expect(await refund(books, 'r')).toBeUndefined()
    expect(await quotaOf(books)).toBe(900)
    // As it was: should its process have died, a reaper still finds whose it is.
    const { node_id } = await store.db.selectFrom('holds').select('node_id').executeTakeFirstOrThrow()
    expect(node_id).toBe('n')
    await ledger.settle(request, 100, logRow(userId, 'r'))
    expect(await refund(books, 'r')).toBe(100)
    expect(await quotaOf(books)).toBe(1000)
    expect(await faults(books)).toEqual([])
  })

  test('takes off its channel only what was counted there', async () => {
    const books = await fresh()
    const { db } = books.store
    await db
      .insertInto('channels')
      .values(sampleInsert({ id: 5 }))
      .execute()
    const used = async () => (await db.selectFrom('channels').select('used_quota').execute())[0]?.used_quota
    await charge(books, 'a', 0, 100)
    await charge(books, 'b', 0, 30)
    expect(await used()).toBe(130)
    await refund(books, 'a', 5)
    expect(await used()).toBe(30)
    // As after a process that died before it had counted the call there.
    await db.updateTable('channels').set({ used_quota: 29 }).execute()
    await refund(books, 'b', 5)
    expect(await used()).toBe(29)
    expect(await quotaOf(books)).toBe(1000)
  })

  test('takes what the call cost off the sums of its own group, model and channel alone', async () => {
    const books = await fresh()
    const { ledger, userId, store } = books
    const kinds = [{}, { group: 'vip' }, { model_name: 'other' }, { channel_id: 6 }]
    for (const [at, more] of kinds.entries()) {
      const request = { id: `r${at}`, userId, tokenId: 0 }
      await ledger.hold(request, { most: 100, least: 100, price: '{}' })
      const row = { ...logRow(userId, request.id), channel_id: 5, cost: 40, ...more }
      await ledger.settle(request, 100, row)
    }
    await refund(books, 'r0')
    const { group, model_name } = logRow(userId, '')
    const own = { group, model_name, channel_id: 5 }
    const sums = await store.db
      .selectFrom('usage_hourly')
      .select(['group', 'model_name', 'channel_id', 'cost', 'costed_quota'])
      .execute()
    const left = kinds.map((more, at) => ({ ...own, ...more, cost: at && 40, costed_quota: at && 100 }))
    expect(sums).toHaveLength(left.length)
    expect(sums).toEqual(expect.arrayContaining(left))
  })
})
