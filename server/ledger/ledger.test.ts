import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openSampleStore, sampleToken } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { AppError } from '../errors.ts'
import { newUser } from '../services/setup.ts'
import type { Store } from '../store/index.ts'
import { credit, post } from './entries.ts'
import { FileJournal } from './journal.ts'
import { makeLasting } from './lasting-hold.ts'
import { Ledger } from './ledger.ts'
import type { LogRow } from './moves.ts'
import { LedgerNode } from './node.ts'
import { nodeStore } from './node-store.ts'
import { Reaper } from './reaper.ts'

const now = (): number => 1_800_000_000
const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

interface House {
  store: Store
  ledger: Ledger
  node: LedgerNode
}

async function join_(url: string): Promise<House> {
  const store = await openSampleStore(url)
  open.push(store)
  const node = new LedgerNode(nodeStore(store.db), now, { clock: () => 0, deadAfterMs: 1000 })
  await node.register()
  const journal = new FileJournal(join(mkdtempSync(join(tmpdir(), 'tollgate-journal-')), 'moves.jsonl'))
  const ledger = new Ledger({ batch: store.batch, journal, now, nodeId: () => node.id })
  return { store, ledger, node }
}

async function addUser(store: Store, name: string, quota: number): Promise<number> {
  await store.db
    .insertInto('users')
    .values(newUser(name, 'x', 1))
    .execute()
  const { id } = await store.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', name)
    .executeTakeFirstOrThrow()
  await credit(store, now(), { kind: 'gift', ref: `user ${id}`, userId: id, amount: quota })
  return id
}

async function addToken(store: Store, userId: number, remain: number, unlimited = 0): Promise<number> {
  const key = crypto.randomUUID()
  await store.db
    .insertInto('tokens')
    .values(sampleToken({ user_id: userId, key_hash: key, remain_quota: remain, unlimited_quota: unlimited }))
    .execute()
  return (
    await store.db.selectFrom('tokens').select('id').where('key_hash', '=', key).executeTakeFirstOrThrow()
  ).id
}

const quotaOf = async ({ db }: Store, id: number) =>
  (await db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()).quota
const tokenOf = ({ db }: Store, id: number) =>
  db
    .selectFrom('tokens')
    .select(['remain_quota', 'used_quota', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

function logOf(userId: number, tokenId: number, more: Partial<LogRow> = {}): LogRow {
  return {
    created_at: now(),
    type: 2,
    user_id: userId,
    username: 'u',
    token_id: tokenId,
    token_name: 't',
    model_name: 'm',
    channel_id: 0,
    group: 'default',
    is_stream: 0,
    use_time: 1,
    prompt_tokens: 10,
    completion_tokens: 5,
    request_id: '',
    content: '中文 \0 "quoted"',
    other: '{"a":"\\u4e2d"}',
    ...more,
  }
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    caught => caught,
  )
  return error instanceof AppError ? error.code : String(error)
}

describe.each(engines.map(engine => [engine.name, engine] as const))('the ledger on %s', (_name, engine) => {
  const fresh = async (): Promise<House> => join_(await engine.freshUrl())

  test('a hold sets aside, a settlement charges and gives back, the log and the hour know of it', async () => {
    const { store, ledger } = await fresh()
    const userId = await addUser(store, 'ann', 1000)
    const tokenId = await addToken(store, userId, 500)
    const request = { id: 'r1', userId, tokenId }
    expect(await ledger.hold(request, { most: 300, least: 1, price: '{}' })).toBe(300)
    expect(await quotaOf(store, userId)).toBe(700)
    expect((await tokenOf(store, tokenId)).remain_quota).toBe(200)
    expect(await ledger.settle(request, 120, logOf(userId, tokenId))).toBe(120)
    expect(await quotaOf(store, userId)).toBe(880)
    expect(await tokenOf(store, tokenId)).toEqual({ remain_quota: 380, used_quota: 120, status: 1 })
    const user = await store.db.selectFrom('users').select(['used_quota', 'request_count']).executeTakeFirst()
    expect(user).toEqual({ used_quota: 120, request_count: 1 })
    const logged = await store.db
      .selectFrom('logs')
      .select(['quota', 'content', 'other', 'type'])
      .where('type', '=', 2)
      .execute()
    expect(logged).toEqual([{ quota: 120, content: '中文  "quoted"', other: '{"a":"\\u4e2d"}', type: 2 }])
    const hours = await store.db.selectFrom('usage_hourly').selectAll().execute()
    expect(hours).toEqual([
      {
        hour: 1_800_000_000 - (1_800_000_000 % 3600),
        user_id: userId,
        token_id: tokenId,
        channel_id: 0,
        model_name: 'm',
        group: 'default',
        requests: 1,
        errors: 0,
        quota: 120,
        prompt_tokens: 10,
        completion_tokens: 5,
        cost: 0,
        costed_quota: 0,
      },
    ])
  })

  test('every move can be repeated and moves nothing more', async () => {
    const { store, ledger } = await fresh()
    const userId = await addUser(store, 'ann', 1000)
    const request = { id: 'r1', userId, tokenId: 0 }
    const terms = { most: 300, least: 1, price: '{}' }
    expect(await Promise.all([ledger.hold(request, terms), ledger.hold(request, terms)])).toEqual([300, 300])
    expect(await ledger.hold(request, { ...terms, most: 900 })).toBe(300)
    expect(await ledger.extend(request, { to: 400, least: 400 })).toBe(400)
    expect(await ledger.extend(request, { to: 400, least: 400 })).toBe(400)
    const settled = await Promise.all([1, 2, 3].map(() => ledger.settle(request, 50, logOf(userId, 0))))
    expect(settled).toEqual([50, 50, 50])
    await ledger.release(request)
    expect(await ledger.settle(request, 70, undefined)).toBe(50)
    expect(await quotaOf(store, userId)).toBe(950)
    expect(await store.db.selectFrom('logs').select('id').where('type', '=', 2).execute()).toHaveLength(1)
    const entry = { kind: 'top-up', ref: 'order-1', userId, amount: 25 } as const
    expect(
      await Promise.all([1, 2, 3].map(() => credit(store, now(), entry))).then(done => done.sort()),
    ).toEqual([false, false, true])
    expect(await quotaOf(store, userId)).toBe(975)
  })

  test('a hold is clamped to what is affordable, or refused', async () => {
    const { store, ledger } = await fresh()
    const userId = await addUser(store, 'ann', 100)
    const tokenId = await addToken(store, userId, 60)
    const unlimited = await addToken(store, userId, 0, 1)
    expect(await ledger.hold({ id: 'a', userId, tokenId }, { most: 500, least: 10, price: '' })).toBe(60)
    expect(await refusal(ledger.hold({ id: 'b', userId, tokenId }, { most: 500, least: 1, price: '' }))).toBe(
      'ledger.token-quota',
    )
    expect(
      await ledger.hold({ id: 'c', userId, tokenId: unlimited }, { most: 500, least: 1, price: '' }),
    ).toBe(40)
    expect(
      await refusal(ledger.hold({ id: 'd', userId, tokenId: unlimited }, { most: 5, least: 1, price: '' })),
    ).toBe('ledger.user-quota')
    expect(await refusal(ledger.extend({ id: 'c', userId, tokenId: unlimited }, { to: 50, least: 41 }))).toBe(
      'ledger.user-quota',
    )
    expect(await quotaOf(store, userId)).toBe(0)
    // An upstream that overran its limit takes what is there and no more.
    expect(await ledger.settle({ id: 'a', userId, tokenId }, 900, undefined)).toBe(60)
    expect(await tokenOf(store, tokenId)).toEqual({ remain_quota: 0, used_quota: 60, status: 4 })
    await ledger.release({ id: 'c', userId, tokenId: unlimited })
    expect(await quotaOf(store, userId)).toBe(40)
    const taken = store.transaction(transaction =>
      post(transaction, now(), { kind: 'admin', ref: 'x', userId }, -41),
    )
    expect(await refusal(taken)).toBe('ledger.user-quota')
    expect(await quotaOf(store, userId)).toBe(40)
  })

  test('a token that is off, gone or past its time takes no hold, and what it holds runs to its end', async () => {
    const { store, ledger } = await fresh()
    const userId = await addUser(store, 'ann', 1000)
    const tokenId = await addToken(store, userId, 500)
    const terms = { most: 10, least: 1, price: '' }
    const running = { id: 'running', userId, tokenId }
    await ledger.hold(running, terms)
    const set = (values: { status: number; expired_time: number }) =>
      store.db.updateTable('tokens').set(values).where('id', '=', tokenId).execute()
    const attempt = (id: string) => refusal(ledger.hold({ id, userId, tokenId }, terms))
    await set({ status: 2, expired_time: -1 })
    expect(await attempt('off')).toBe('token.unavailable')
    await set({ status: 1, expired_time: now() + 1 })
    expect(await ledger.hold({ id: 'in time', userId, tokenId }, terms)).toBe(10)
    await set({ status: 1, expired_time: now() })
    expect(await attempt('late')).toBe('token.expired')
    expect((await tokenOf(store, tokenId)).status).toBe(3)
    expect(await attempt('again')).toBe('token.expired')
    expect(await refusal(ledger.hold({ id: 'gone', userId, tokenId: 999 }, terms))).toBe('token.unavailable')
    expect(await ledger.settle(running, 4, undefined)).toBe(4)
    expect(await tokenOf(store, tokenId)).toEqual({ remain_quota: 486, used_quota: 4, status: 3 })
  })

  test('a token that ran out because of a hold comes back with the refund', async () => {
    const { store, ledger } = await fresh()
    const userId = await addUser(store, 'ann', 1000)
    const tokenId = await addToken(store, userId, 100)
    const [first, second] = [
      { id: '1', userId, tokenId },
      { id: '2', userId, tokenId },
    ]
    await ledger.hold(first, { most: 60, least: 60, price: '' })
    await ledger.hold(second, { most: 40, least: 40, price: '' })
    await ledger.settle(first, 60, undefined)
    expect((await tokenOf(store, tokenId)).status).toBe(4)
    await ledger.settle(second, 10, undefined)
    expect(await tokenOf(store, tokenId)).toEqual({ remain_quota: 30, used_quota: 70, status: 1 })
  })

  test.each([-1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, '5', null, undefined])(
    '%p is no amount',
    async bad => {
      const { store, ledger } = await fresh()
      const userId = await addUser(store, 'ann', 100)
      const request = { id: 'r', userId, tokenId: 0 }
      const amount = bad as number
      expect(await refusal(ledger.hold(request, { most: amount, least: 0, price: '' }))).toBe('ledger.amount')
      expect(await refusal(ledger.settle(request, amount, undefined))).toBe('ledger.amount')
      expect(
        await refusal((async () => credit(store, now(), { kind: 'gift', ref: 'g', userId, amount }))()),
      ).toBe('ledger.amount')
      expect(await quotaOf(store, userId)).toBe(100)
    },
  )

  test('a thousand calls that could each spend half: two are served, from two nodes at once', async () => {
    const url = await engine.freshUrl()
    const [here, there] = [await join_(url), await join_(url)]
    const userId = await addUser(here.store, 'ann', 1000)
    const tokenId = await addToken(here.store, userId, 0, 1)
    const answers = await Promise.all(
      Array.from({ length: 1000 }, async (_, at) => {
        const { ledger } = at % 2 === 0 ? here : there
        const request = { id: `r${at}`, userId, tokenId }
        const held = await ledger.hold(request, { most: 500, least: 500, price: '' }).catch(() => 0)
        return held === 0 ? 0 : ledger.settle(request, 500, logOf(userId, tokenId))
      }),
    )
    expect(answers.filter(charged => charged > 0)).toEqual([500, 500])
    expect(await quotaOf(here.store, userId)).toBe(0)
  })

  test('two nodes under load agree to the last unit', async () => {
    const url = await engine.freshUrl()
    const houses = [await join_(url), await join_(url)] as [House, House]
    const { store } = houses[0]
    const users = [
      await addUser(store, 'a', 100_000),
      await addUser(store, 'b', 100_000),
      await addUser(store, 'c', 300),
    ]
    const tokens = await Promise.all(users.map(user => addToken(store, user, 60_000)))
    let spent = 0
    await Promise.all(
      Array.from({ length: 400 }, async (_, at) => {
        const { ledger } = houses[at % 2] as House
        const which = at % 3
        const request = { id: `r${at}`, userId: users[which] ?? 0, tokenId: tokens[which] ?? 0 }
        const held = await ledger.hold(request, { most: 50 + (at % 7), least: 10, price: '' }).catch(() => 0)
        if (held === 0) return
        if (at % 5 === 0) return ledger.release(request)
        await ledger.checkpoint(request, 5)
        const charged = await ledger.settle(request, (at * 13) % held, logOf(request.userId, request.tokenId))
        spent += charged
      }),
    )
    const left = (await Promise.all(users.map(id => quotaOf(store, id)))).reduce(
      (sum, quota) => sum + quota,
      0,
    )
    expect(left).toBe(200_300 - spent)
    const entries = await sql<{
      total: string | number
    }>`select sum(user_amount) as total from ledger_entries`.execute(store.db)
    expect(Number(entries.rows[0]?.total)).toBe(left)
    expect(await store.db.selectFrom('holds').select('id').where('state', '=', 'open').execute()).toEqual([])
  })

  test('a node that died is finished by another: at its checkpoint, or given back; what it says later is void', async () => {
    const url = await engine.freshUrl()
    const [dead, alive] = [await join_(url), await join_(url)]
    const userId = await addUser(dead.store, 'ann', 1000)
    const tokenId = await addToken(dead.store, userId, 1000)
    const [streamed, waiting] = [
      { id: 's', userId, tokenId, labels: 'ads' },
      { id: 'w', userId, tokenId },
    ]
    const price = JSON.stringify({ model: 'm1', group: 'vip' })
    await dead.ledger.hold(streamed, { most: 300, least: 1, price })
    await dead.ledger.hold(waiting, { most: 200, least: 1, price })
    await dead.ledger.checkpoint(streamed, 40)
    let clock = 0
    const { store, ledger } = alive
    const reaper = new Reaper({
      nodes: nodeStore(store.db),
      ledger,
      self: () => alive.node.name,
      now,
      deadAfterMs: 900,
      clock: () => clock,
    })
    const lookAt = async (at: number): Promise<number> => {
      clock = at
      return reaper.look()
    }
    expect(await lookAt(0)).toBe(0)
    await dead.node.beat()
    await alive.node.beat()
    expect(await lookAt(300)).toBe(0)
    // Nobody's beat got through: the database was away, or this process stood still.
    expect(await lookAt(100_000)).toBe(0)
    await alive.node.beat()
    expect(await lookAt(100_001)).toBe(0)
    await alive.node.beat()
    expect(await lookAt(100_301)).toBe(0)
    // A checkpoint that comes while the reaper is at it counts.
    await dead.ledger.checkpoint(streamed, 42, JSON.stringify({ model: 'm1', group: 'svip' }))
    await alive.node.beat()
    expect(await lookAt(100_601)).toBe(2)
    expect(await quotaOf(store, userId)).toBe(958)
    expect((await tokenOf(store, tokenId)).remain_quota).toBe(958)
    expect(await dead.ledger.settle(streamed, 250, logOf(userId, tokenId))).toBe(42)
    expect(await dead.ledger.settle(waiting, 250, logOf(userId, tokenId))).toBe(0)
    expect(await quotaOf(store, userId)).toBe(958)
    const before = dead.node.id
    await dead.node.beat()
    expect(dead.node.id).not.toBe(before)
    const logs = await store.db
      .selectFrom('logs')
      .select(['model_name', 'group', 'quota', 'labels'])
      .where('type', '=', 2)
      .execute()
    expect(logs).toEqual([{ model_name: 'm1', group: 'svip', quota: 42, labels: 'ads' }])
  })

  test('a hold that a slow node made lasting while a reaper was on its way to it stays, and is settled by whoever ends it', async () => {
    const url = await engine.freshUrl()
    const [slow, other] = [await join_(url), await join_(url)]
    const userId = await addUser(slow.store, 'ann', 1000)
    const batch = { id: 'b', userId, tokenId: 0 }
    await slow.ledger.hold(batch, { most: 300, least: 1, price: '' })
    expect(await slow.store.transaction(transaction => makeLasting(transaction, 'b'))).toBe(true)
    await other.ledger.reap(batch, logOf(userId, 0))
    expect(await quotaOf(other.store, userId)).toBe(700)
    expect(await other.ledger.settle(batch, 250, logOf(userId, 0))).toBe(250)
    expect(await quotaOf(other.store, userId)).toBe(750)
  })
})
