import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { until } from '../../test/program.ts'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { newUser } from '../services/setup.ts'
import type { Store } from '../store/index.ts'
import { audit, LOGS_KEPT_SINCE } from './audit.ts'
import { credit } from './entries.ts'
import { FileJournal } from './journal.ts'
import { makeLasting } from './lasting-hold.ts'
import { Ledger } from './ledger.ts'
import { LedgerNode } from './node.ts'
import { nodeStore } from './node-store.ts'
import { redeem } from './redeem.ts'
import { refundCharge } from './refund.ts'
import { rewardInviter, setQuota, transferEarnings } from './wallet-moves.ts'

const now = (): number => 1_800_000_000
const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

async function openBooks(url: string): Promise<{ store: Store; ledger: Ledger }> {
  const store = await openSampleStore(url)
  open.push(store)
  const node = new LedgerNode(nodeStore(store.db), now, { clock: () => 0, deadAfterMs: 1000 })
  await node.register()
  const journal = new FileJournal(join(mkdtempSync(join(tmpdir(), 'tollgate-journal-')), 'moves.jsonl'))
  return { store, ledger: new Ledger({ batch: store.batch, journal, now, nodeId: () => node.id }) }
}

async function addUsers(store: Store, count: number): Promise<number[]> {
  await store.db
    .insertInto('users')
    .values(Array.from({ length: count }, (_, at) => newUser(`user-${at}`, 'x', 1)))
    .execute()
  return (await store.db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)
}

const log = (userId: number, id: string) => ({
  created_at: now(),
  type: 2,
  user_id: userId,
  username: 'u',
  token_id: 0,
  token_name: '',
  model_name: 'm',
  channel_id: 0,
  group: 'default',
  is_stream: 0,
  use_time: 0,
  prompt_tokens: 1,
  completion_tokens: 1,
  request_id: id,
  content: '',
  other: '',
})

async function wrong(store: Store): Promise<string[]> {
  const { checks } = await audit(store.db)
  return checks.filter(({ differences }) => differences > 0).map(({ name }) => name)
}

/** Of calls through no channel and of those through one: what they cost, and what was charged for that. */
async function costs(store: Store): Promise<number[]> {
  const hours = await store.db.selectFrom('usage_hourly').selectAll().orderBy('channel_id').execute()
  return hours.flatMap(({ cost, costed_quota }) => [cost, costed_quota])
}

const damages: [string, RawBuilder<unknown>, string][] = [
  ['a balance that was touched', sql`update users set quota = quota + 1`, 'wallet = entries - open holds'],
  [
    'an entry that was lost',
    sql`delete from ledger_entries where kind = 'gift'`,
    'wallet = entries - open holds',
  ],
  ['a hold that was lost', sql`delete from holds where state = 'open'`, 'wallet = entries - open holds'],
  [
    'a charge that was altered',
    sql`update ledger_entries set user_amount = user_amount - 1 where kind = 'charge'`,
    'every charge has its request, for the same amount',
  ],
  [
    'a charge that was lost',
    sql`delete from ledger_entries where kind = 'charge'`,
    'every settled request has its charge',
  ],
  [
    'a request that was lost',
    sql`delete from holds where state = 'settled'`,
    'every charge has its request, for the same amount',
  ],
  [
    'an entry of a token that never was',
    sql`update ledger_entries set token_id = 999 where kind = 'gift'`,
    'entries of users and tokens that exist',
  ],
  [
    'a charge that spared its token',
    sql`update holds set token_amount = 3 where id = 'costed'`,
    'every charge has its request, for the same amount',
  ],
  [
    'a refund of more than was charged',
    sql`update ledger_entries set user_amount = user_amount + 1 where kind = 'refund'`,
    'every refund has its charge, and gives back no more',
  ],
  [
    'a refund of what was never charged',
    sql`update ledger_entries set ref = 'released' where kind = 'refund' and ref = 'settled'`,
    'every refund has its charge, and gives back no more',
  ],
  [
    'an order that was paid and never credited',
    sql`delete from ledger_entries where kind = 'top-up'`,
    'paid orders = entries',
  ],
  [
    'an order that was credited and never paid',
    sql`update top_ups set status = 'pending'`,
    'paid orders = entries',
  ],
  ['an order for another sum', sql`update top_ups set quota = quota + 1`, 'paid orders = entries'],
  ['a process that is gone', sql`delete from nodes`, 'no hold without its process'],
  [
    'a batch that is gone',
    sql`update holds set node_id = 'batches' where state = 'open'`,
    'no lasting hold without its job',
  ],
  ['a log row that was lost', sql`delete from logs where request_id <> ''`, 'hourly sums = logs'],
  ['an hour that was altered', sql`update usage_hourly set quota = quota + 1`, 'hourly sums = logs'],
  [
    'a row that lost its cost',
    sql`update logs set cost = null where request_id = 'costed'`,
    'hourly costs = logs',
  ],
  [
    'a cost that was altered',
    sql`update usage_hourly set cost = cost + 1 where cost > 0`,
    'hourly costs = logs',
  ],
  ['a cost of nothing', sql`update usage_hourly set cost = 1 where cost = 0`, 'hourly costs = logs'],
  [
    'what was charged for it, altered',
    sql`update usage_hourly set costed_quota = costed_quota - 1`,
    'hourly costs = logs',
  ],
  [
    'a row that lost what it was for',
    sql`update logs set labels = null where labels is not null`,
    'hourly sums of labels = logs',
  ],
  [
    'spending of a label that was altered',
    sql`update usage_labels_hourly set quota = quota + 1`,
    'hourly sums of labels = logs',
  ],
  [
    'a cost of a label that was altered',
    sql`update usage_labels_hourly set cost = cost + 1`,
    'hourly sums of labels = logs',
  ],
  ['a balance below zero', sql`update users set quota = -1`, 'no balance below zero'],
]

describe.each(engines.map(engine => [engine.name, engine] as const))('the books on %s', (_name, engine) => {
  test('agree after every kind of move, and every kind of damage is found', async () => {
    const { store, ledger } = await openBooks(await engine.freshUrl())
    const [userId = 0, other = 0] = await addUsers(store, 2)
    await credit(store, now(), { kind: 'gift', ref: 'a', userId, amount: 1000 }, { type: 4, content: 'gift' })
    const order = { user_id: userId, amount: 1, money: 1, payment_method: 'wxpay', create_time: 1 }
    await store.db
      .insertInto('top_ups')
      .values(
        (['success', 'pending'] as const).map(status => ({
          ...{ ...order, quota: 50, trade_no: status, status, complete_time: 1, currency: '' },
        })),
      )
      .execute()
    await credit(store, now(), { kind: 'top-up', ref: 'success', userId, amount: 50 })
    for (const id of ['settled', 'released', 'open'])
      await ledger.hold({ id, userId, tokenId: 0 }, { most: 100, least: 1, price: '{}' })
    await ledger.settle({ id: 'settled', userId, tokenId: 0 }, 30, log(userId, 'settled'))
    await ledger.release({ id: 'released', userId, tokenId: 0 })
    for (const [id, charge, cost] of [
      ['costed', 20, 12],
      ['returned', 50, 7],
      ['gratis', 0, 5],
      ['returned-gratis', 0, 9],
    ] as const) {
      await ledger.hold({ id, userId, tokenId: 0 }, { most: 100, least: 0, price: '{}' })
      const labels = id === 'gratis' ? undefined : 'env:prod,job:1'
      const row = { ...log(userId, id), channel_id: 3, cost, labels }
      await ledger.settle({ id, userId, tokenId: 0 }, charge, row)
    }
    expect(await costs(store)).toEqual([0, 0, 33, 70])
    for (const requestId of ['returned', 'returned-gratis', 'settled'])
      await store.transaction(transaction =>
        refundCharge(transaction, store, now(), {
          requestId,
          channelId: 0,
          describe: () => ({ type: 4, content: 'given back' }),
        }),
      )
    expect(await costs(store)).toEqual([0, 0, 17, 20])
    const labelled = await store.db.selectFrom('usage_labels_hourly').selectAll().execute()
    expect(labelled).toMatchObject([{ requests: 3, quota: 70, cost: 12, costed_quota: 20 }])
    await store.transaction(async transaction => {
      await setQuota(transaction, store, now(), { userId: other, quota: 77 }, former => ({
        type: 3,
        content: `from ${former}`,
      }))
      await rewardInviter(transaction, now(), { inviterId: userId, inviteeId: other, reward: 40 })
    })
    await transferEarnings(store, now(), { userId, amount: 25 })
    expect(await wrong(store)).toEqual([])
    const row = await store.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      quota: 955,
      aff_quota: 15,
      aff_history_quota: 40,
      aff_count: 1,
      used_quota: 20,
    })

    for (const [what, damage, check] of damages) {
      const found = await store.db
        .transaction()
        .execute(async transaction => {
          await damage.execute(transaction)
          const { checks } = await audit(transaction)
          throw checks.filter(({ differences }) => differences > 0).map(({ name }) => name)
        })
        .catch(names => names as string[])
      expect([what, ...found]).toContain(check)
    }
    expect(await wrong(store)).toEqual([])
  })

  test('a hold that is to outlive its process needs its job instead', async () => {
    const { store, ledger } = await openBooks(await engine.freshUrl())
    const [userId = 0] = await addUsers(store, 1)
    await credit(store, now(), { kind: 'gift', ref: 'a', userId, amount: 1000 })
    await ledger.hold({ id: 'batch', userId, tokenId: 0 }, { most: 100, least: 1, price: '{}' })
    await store.transaction(transaction => makeLasting(transaction, 'batch'))
    const { checks } = await audit(store.db)
    expect(checks.flatMap(({ name, differences }) => (differences > 0 ? name : []))).toEqual([
      'no lasting hold without its job',
    ])
    const job = { request_id: 'batch', response_id: 'r', user_id: userId, token_id: 0, channel_id: 0 }
    const how = { key_hash: '', model: '', group: '', streams: 0, terms: '', lost_at: 0, next_poll_at: 0 }
    await store.db
      .insertInto('background_responses')
      .values({ ...job, ...how, state: 'running', submitted_at: 0, seen_to: -1, seen_tokens: 0 })
      .execute()
    expect(await wrong(store)).toEqual([])
    await store.db.updateTable('background_responses').set({ state: 'ended' }).execute()
    expect(await wrong(store)).not.toEqual([])
  })

  test('a log that is cleared while it is looked at is no damage', async () => {
    const { store, ledger } = await openBooks(await engine.freshUrl())
    const [userId = 0] = await addUsers(store, 1)
    await credit(store, now(), { kind: 'gift', ref: 'a', userId, amount: 1000 })
    await ledger.hold({ id: 'old', userId, tokenId: 0 }, { most: 100, least: 1, price: '{}' })
    await ledger.settle({ id: 'old', userId, tokenId: 0 }, 30, log(userId, 'old'))
    const rows = await store.db.selectFrom('logs').selectAll().execute()
    // As clearing does: first it is said from where on there is a log, then the rows go.
    const clear = async (): Promise<void> => {
      const value = String(now() + 3600)
      await store.db.insertInto('system').values({ key: LOGS_KEPT_SINCE, value }).execute()
      await store.db.deleteFrom('logs').execute()
    }
    const restore = async (): Promise<void> => {
      await store.db.deleteFrom('system').where('key', '=', LOGS_KEPT_SINCE).execute()
      await store.db.insertInto('logs').values(rows).execute()
    }
    let statements = 0
    /** Between any two statements, one time after the other. */
    for (let at = 1; at === 1 || statements >= at; at++) {
      if (at > 1) await restore()
      statements = 0
      const cleared = store.db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (++statements === at) await clear()
          return result
        },
      })
      expect([at, (await audit(cleared)).differences]).toEqual([at, []])
      if (statements < at) break
    }
  })

  test('one code, a hundred users at once: one gets it', async () => {
    const { store } = await openBooks(await engine.freshUrl())
    const users = await addUsers(store, 100)
    const code = {
      user_id: 1,
      key: 'the-code',
      status: 1,
      name: 'n',
      quota: 500,
      created_time: 1,
      redeemed_time: 0,
      used_user_id: 0,
    }
    await store.db.insertInto('redemptions').values(code).execute()
    const attempt = (userId: number) =>
      redeem(store, now(), { key: 'the-code', userId }, ({ id }) => ({
        type: 1,
        content: `code ${id}`,
      })).catch(error => error.code)
    // Whose turn does not come for as long as anybody waits for a database, on a busy machine, asks again.
    const untilServed = (userId: number) =>
      until(async () => {
        const answer = await attempt(userId)
        return answer === 'store.unavailable' ? undefined : answer
      })
    const answers = await Promise.all(users.map(untilServed))
    expect(answers.filter(answer => answer === 500)).toHaveLength(1)
    expect(answers.filter(answer => answer === 'redeem.used')).toHaveLength(99)
    expect(
      await redeem(store, now(), { key: 'nope', userId: 1 }, () => ({ type: 1, content: '' })).catch(
        error => error.code,
      ),
    ).toBe('redeem.invalid')
    const row = await store.db
      .selectFrom('redemptions')
      .select(['status', 'used_user_id'])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ status: 3, used_user_id: users[answers.indexOf(500)] ?? 0 })
    expect(await wrong(store)).toEqual([])
  })

  test('an administrator who edits a wallet during 500 calls leaves sums that are exact', async () => {
    const { store, ledger } = await openBooks(await engine.freshUrl())
    const [userId = 0] = await addUsers(store, 1)
    await credit(store, now(), { kind: 'gift', ref: 'a', userId, amount: 1_000_000 })
    const calls = Array.from({ length: 500 }, async (_, at) => {
      const request = { id: `r${at}`, userId, tokenId: 0 }
      const held = await ledger.hold(request, { most: 100, least: 1, price: '{}' }).catch(() => 0)
      if (held > 0) await ledger.settle(request, at % (held + 1), log(userId, request.id))
    })
    const edits = Array.from({ length: 20 }, async (_, at) => {
      await Bun.sleep(at * 3)
      await store.transaction(transaction =>
        setQuota(transaction, store, now(), { userId, quota: 1_000_000 + at }, () => ({
          type: 3,
          content: 'edit',
        })),
      )
    })
    await Promise.all([...calls, ...edits])
    expect(await wrong(store)).toEqual([])
  })
})
