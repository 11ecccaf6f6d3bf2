import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { type Books, chargesOf, logRow, now, openBooks, quotaOf } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { audit } from './audit.ts'
import { Ledger } from './ledger.ts'
import { LedgerNode } from './node.ts'
import { nodeStore } from './node-store.ts'
import { refundCharge } from './refund.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('late moves on %s', (_name, engine) => {
  const fresh = async (): Promise<Books> => {
    const books = await openBooks(await engine.freshUrl())
    open.push(books.store)
    return books
  }

  test('a charge that a client was told of is made even if a reaper came first, once', async () => {
    const books = await fresh()
    const { store, ledger, way, journal, userId } = books
    const [streamed, waiting] = ['s', 'w'].map(id => ({ id, userId, tokenId: 0 })) as [
      { id: string; userId: number; tokenId: number },
      { id: string; userId: number; tokenId: number },
    ]
    for (const request of [streamed, waiting]) await ledger.hold(request, { most: 200, least: 1, price: '' })
    await ledger.checkpoint(streamed, 42)
    way.isOpen = false
    expect(await ledger.settle(streamed, 150, logRow(userId, 's'))).toBe(150)
    expect(await ledger.settle(waiting, 120, logRow(userId, 'w'))).toBe(120)
    way.isOpen = true
    for (const request of [streamed, waiting]) await ledger.reap(request, logRow(userId, request.id))
    expect(await quotaOf(books)).toBe(958)
    // Twice, as when a process dies before it has emptied its journal.
    const kept = journal.pending()
    await ledger.replay()
    journal.moves.push(...kept)
    await ledger.replay()
    expect(await quotaOf(books)).toBe(730)
    expect(await chargesOf(books)).toEqual([
      { ref: 's', user_amount: -150, token_amount: 0 },
      { ref: 'w', user_amount: -120, token_amount: 0 },
    ])
    const user = await store.db.selectFrom('users').select(['used_quota', 'request_count']).executeTakeFirst()
    expect(user).toEqual({ used_quota: 270, request_count: 2 })
    // The log too tells each part once.
    const rows = await store.db.selectFrom('logs').select('quota').where('type', '=', 2).execute()
    expect(rows.map(({ quota }) => quota).sort((a, b) => a - b)).toEqual([42, 108, 120])
    expect((await audit(store.db)).differences).toEqual([])
  })

  test('what was given back is not charged when its journal comes, whether a reaper had charged it or not', async () => {
    const books = await fresh()
    const { store, ledger, way, journal, userId } = books
    const requests = ['s', 'w'].map(id => ({ id, userId, tokenId: 0 }))
    for (const request of requests) await ledger.hold(request, { most: 200, least: 1, price: '' })
    await ledger.checkpoint({ id: 's', userId, tokenId: 0 }, 42)
    way.isOpen = false
    for (const request of requests)
      expect(await ledger.settle(request, 150, logRow(userId, request.id))).toBe(150)
    way.isOpen = true
    for (const request of requests) await ledger.reap(request, logRow(userId, request.id))
    const describe = () => ({ type: 1, content: '' })
    const refund = (requestId: string) =>
      store.transaction(own => refundCharge(own, store, now(), { requestId, channelId: 0, describe }))
    expect([await refund('s'), await refund('w')]).toEqual([42, 0])
    expect(journal.pending()).toHaveLength(2)
    await ledger.replay()
    expect(journal.pending()).toEqual([])
    expect(await quotaOf(books)).toBe(1000)
    expect(await chargesOf(books)).toEqual([{ ref: 's', user_amount: -42, token_amount: 0 }])
    const user = await store.db.selectFrom('users').select('used_quota').executeTakeFirst()
    expect(user).toEqual({ used_quota: 0 })
    expect((await audit(store.db)).differences).toEqual([])
  })

  test('it takes what the wallet still has, and no more', async () => {
    const books = await fresh()
    const { store, ledger, way, userId } = books
    const [first, second] = ['a', 'b'].map(id => ({ id, userId, tokenId: 0 })) as [
      { id: string; userId: number; tokenId: number },
      { id: string; userId: number; tokenId: number },
    ]
    await ledger.hold(first, { most: 500, least: 1, price: '' })
    way.isOpen = false
    await ledger.settle(first, 500, logRow(userId, 'a'))
    way.isOpen = true
    await ledger.reap(first, logRow(userId, 'a'))
    await ledger.hold(second, { most: 900, least: 900, price: '' })
    await ledger.replay()
    expect(await quotaOf(books)).toBe(0)
    expect(await chargesOf(books)).toEqual([{ ref: 'a', user_amount: -100, token_amount: 0 }])
    await ledger.release(second)
    expect(await quotaOf(books)).toBe(900)
    expect((await audit(store.db)).differences.filter(({ check }) => !check.includes('process'))).toEqual([])
  })

  test('a move that neither database nor journal takes is told as failed, and made when the database is back', async () => {
    const books = await fresh()
    const { ledger, way, journal, userId } = books
    const request = { id: 'r', userId, tokenId: 0 }
    await ledger.hold(request, { most: 200, least: 1, price: '' })
    way.isOpen = false
    journal.isFull = true
    const error = await ledger.settle(request, 150, logRow(userId, 'r')).catch((caught: unknown) => caught)
    expect((error as AppError).code).toBe('store.unavailable')
    expect(ledger.waiting).toBe(1)
    way.isOpen = true
    await ledger.replay()
    expect(ledger.waiting).toBe(0)
    expect(await quotaOf(books)).toBe(850)
  })

  test('a charge that comes to the journal while that is made good is made too', async () => {
    const books = await fresh()
    const { store, way, journal, userId } = books
    const paid = (id: string) => ({ id, userId, tokenId: 0 })
    const terms = { charge: 30, price: '', began: now() }
    way.isOpen = false
    expect(await books.ledger.pay(paid('first'), terms, logRow(userId, 'first'))).toBe(30)
    const [kept] = journal.pending()
    if (kept?.kind !== 'pay') throw new Error('it is not in the journal')
    let isLate = true
    const ledger = new Ledger({
      ...{ journal, now, nodeId: () => 'n' },
      batch: async (decision, argument) => {
        // Another call ends in this moment, and did not reach the database.
        if (isLate) await journal.append({ ...kept, id: 'second', log: logRow(userId, 'second') })
        isLate = false
        return store.batch(decision, argument)
      },
    })
    await ledger.replay()
    expect(journal.pending()).toEqual([])
    expect((await chargesOf(books)).map(({ ref }) => ref)).toEqual(['first', 'second'])
    expect(await quotaOf(books)).toBe(940)
  })

  test('no text in a log row can cost a charge, its own or that of others', async () => {
    const books = await fresh()
    const { ledger, store, userId } = books
    const rows = {
      nul: { model_name: 'a\0b', username: '\0' },
      half: { model_name: '\ud800', content: 'x\udc00y' },
      long: { model_name: '中'.repeat(300), group: 'g'.repeat(99) },
      // Beyond what the columns hold, whatever is done to the text.
      mad: { prompt_tokens: 1e300 },
      plain: {},
    }
    const charged = Object.entries(rows).map(async ([id, more]) => {
      const request = { id, userId, tokenId: 0 }
      await ledger.hold(request, { most: 10, least: 1, price: '' })
      return ledger.settle(request, 5, { ...logRow(userId, id), ...more })
    })
    expect(await Promise.all(charged)).toEqual([5, 5, 5, 5, 5])
    expect(await quotaOf(books)).toBe(975)
    const logs = await store.db
      .selectFrom('logs')
      .select('request_id')
      .where('request_id', 'not in', ['', 'mad'])
      .execute()
    expect(logs).toHaveLength(4)
  })

  test('a request that is over holds nothing again', async () => {
    const { ledger, userId } = await fresh()
    const request = { id: 'r', userId, tokenId: 0 }
    const terms = { most: 200, least: 1, price: '' }
    await ledger.hold(request, terms)
    await ledger.release(request)
    const error = await ledger.hold(request, terms).catch((caught: unknown) => caught)
    expect((error as AppError).code).toBe('ledger.closed')
  })

  test('after a silence new holds get a new name, and the old one beats on', async () => {
    const { store } = await fresh()
    let clock = 0
    const nodes = nodeStore(store.db)
    const node = new LedgerNode(nodes, now, { clock: () => clock, deadAfterMs: 1000 })
    const first = node.id
    await node.register()
    clock = 400
    await node.beat()
    expect(node.id).toBe(first)
    clock = 1000
    const second = node.id
    expect(second).not.toBe(first)
    await node.beat()
    await node.beat()
    expect(node.id).toBe(second)
    expect(Object.fromEntries(await nodes.beats())).toEqual({ [first]: 4, [second]: 2 })
    await nodes.remove(first)
    await node.beat()
    expect(Object.fromEntries(await nodes.beats())).toEqual({ [second]: 3 })
    await nodes.remove(second)
    await node.beat()
    expect(node.id).not.toBe(second)
    await node.leave()
    expect((await nodes.beats()).size).toBe(0)
  })
})
