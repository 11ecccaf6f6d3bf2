import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import type { LogFilters } from '../../../contract/logs.ts'
import { DaysOfCalls } from '../../../server/services/logs/days-of-calls.ts'
import { DaysOfLabels } from '../../../server/services/logs/days-of-labels.ts'
import { logsOfKey, searchLogs } from '../../../server/services/logs/find-logs.ts'
import { listLogs } from '../../../server/services/logs/list-logs.ts'
import { readFilter, readOwnFilter } from '../../../server/services/logs/log-filter.ts'
import { newestOfToken } from '../../../server/services/logs/logs-of-token.ts'
import { sumLogs } from '../../../server/services/logs/sum-logs.ts'
import { newUser } from '../../../server/services/setup.ts'
import { countUsage, keptUsage } from '../../../server/services/statistics/count-usage.ts'
import { KeptDays } from '../../../server/services/statistics/kept-days.ts'
import { tokenHash } from '../../../server/store/given-key.ts'
import type { Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import { openSampleStore, sampleToken } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, by, DAY, HOUR, now, page } from './filled-log.ts'

setDefaultTimeout(600_000)
const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const TEAM = 1
const OTHER = 2
const MEMBER = 3
const NEWCOMER = 4
const HOURS = 240
const TOKENS = 12
const ROWS = HOURS * TOKENS
const acting = (id: number) => ({
  id: TEAM,
  acting: { person: { id, username: 'someone' }, isOwner: false },
})

/** More hourly sums of one account than are added up each time; every third token is a member's. */
async function fillLarge({ db, engine }: Store): Promise<void> {
  if (engine === 'postgres') await ensureLogPartitions(db, new Date(HOUR * 1000))
  await db
    .insertInto('users')
    .values(['team', 'other', 'member', 'newcomer'].map(name => newUser(name, 'x', 1)))
    .execute()
  await db
    .insertInto('tokens')
    .values(
      Array.from({ length: TOKENS }, (_, at) =>
        sampleToken({ user_id: TEAM, key_hash: `hash ${at}`, created_by: at % 3 === 0 ? MEMBER : TEAM }),
      ),
    )
    .execute()
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const token = 1 + Math.floor(at / HOURS)
    const isOther = token === 2
    return {
      ...{ created_at: HOUR + (at % HOURS) * 3600 + token * 60, type: at % 10 === 0 ? 5 : 2 },
      ...{ user_id: isOther ? OTHER : TEAM, username: isOther ? 'other' : 'team', token_id: token },
      ...{ token_name: `token ${token}`, model_name: `model-${at % 7}`, channel_id: 4, group: 'default' },
      ...{ is_stream: 0, use_time: 1, prompt_tokens: 3, completion_tokens: 2, quota: at % 10 === 0 ? 0 : at },
      labels: at % 2 ? `env:prod,project:${at % 5}` : null,
      ...{ request_id: `r${at}`, content: `row ${at}`, other: '' },
    }
  })
  for (let at = 0; at < ROWS; at += 500)
    await db
      .insertInto('logs')
      .values(rows.slice(at, at + 500))
      .execute()
  const group = sql.ref('group')
  const hour = sql`created_at - (created_at % 3600)`
  const sums = sql`count(*), sum(case when type = 5 then 1 else 0 end), sum(quota), sum(prompt_tokens), sum(completion_tokens)`
  const figures = sql`requests, errors, quota, prompt_tokens, completion_tokens`
  await sql`insert into usage_hourly (hour, user_id, token_id, channel_id, model_name, ${group}, ${figures})
    select ${hour}, user_id, token_id, channel_id, model_name, ${group}, ${sums} from logs
    group by ${hour}, user_id, token_id, channel_id, model_name, ${group}`.execute(db)
  await sql`insert into usage_labels_hourly (hour, user_id, token_id, labels, ${figures})
    select ${hour}, user_id, token_id, labels, ${sums} from logs where labels is not null
    group by ${hour}, user_id, token_id, labels`.execute(db)
}

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  const fresh = async (): Promise<Store> => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    await fillLarge(store)
    return store
  }

  test('a large account, and a member of it, see the same whether its days are kept or not', async () => {
    const store = await fresh()
    const { db, engine: kind } = store
    const kept = {
      db,
      engine: kind,
      days: new DaysOfCalls(db, kind, now, new KeptDays(store, now)),
      labels: new DaysOfLabels(db, now),
    }
    const asked: Partial<LogFilters>[] = [
      {},
      { type: 5 },
      { type: 9 },
      { model_name: '"model-3"' },
      { model_name: 'none' },
      { token_name: 'token 4' },
      { token_name: 'token 2' },
      { label: 'project:3' },
      { label: 'project:3', type: 2, start_timestamp: HOUR + 5000, end_timestamp: HOUR + 5 * DAY },
      { label: 'project' },
      { label: 'env:prod', model_name: '"model-3"' },
      { label: 'env:prod', model_name: 'none' },
      { label: 'project:3', model_name: 'model' },
      { label: 'project:1', model_name: 'MODEL-2', type: 2 },
      {
        label: 'project:1',
        model_name: 'model-2',
        start_timestamp: HOUR + 5000,
        end_timestamp: HOUR + 5 * DAY,
      },
      { label: 'project:4', group: 'default' },
      { label: 'project:4', model_name: 'model-1', token_name: 'token 4' },
      { model_name: 'model', start_timestamp: HOUR + 900, end_timestamp: HOUR + 3 * DAY + 900 },
    ]
    let compared = 0
    for (const filters of asked) {
      const query = { ...anything, ...filters }
      for (const reader of ['all', TEAM, MEMBER, NEWCOMER] as const) {
        const read = (source: Pick<Store, 'db' | 'engine'>) => {
          if (reader === 'all') return readFilter(source, query)
          return readOwnFilter(source, query, reader === TEAM ? { id: TEAM } : acting(reader))
        }
        // Without what is kept, on an engine that has no index for it, the rows themselves tell.
        const plain = await read({ db, engine: kind })
        const all = await listLogs({ db, engine: 'mysql' }, plain, page({ page_size: 100 }), 'owner')
        for (const p of [1, 3]) {
          const seen = await listLogs(kept, await read(kept), page({ p, page_size: 7 }), 'owner')
          const first = (p - 1) * 7
          expect([filters, reader, seen.total]).toEqual([filters, reader, all.total])
          expect(seen.items).toEqual(all.items.slice(first, first + 7))
          compared += seen.items.length
        }
        const { quota } = await sumLogs(db, await read(kept), HOUR, kept)
        expect([filters, reader, quota]).toEqual([filters, reader, (await sumLogs(db, plain, HOUR)).quota])
      }
    }
    expect(compared).toBeGreaterThan(300)
    const found = await searchLogs({ store }, 'model-3', acting(MEMBER))
    expect(new Set(found.map(row => row.token_id % 3))).toEqual(new Set([1]))
    expect(await searchLogs({ store }, '', acting(NEWCOMER))).toEqual([])
  })

  test('what was kept of a member is not told any more when tokens pass to somebody else', async () => {
    const { db, engine: kind } = await fresh()
    const kept = { db, engine: kind, days: new DaysOfCalls(db, kind, now), labels: new DaysOfLabels(db, now) }
    const usage = keptUsage(db)
    const window = { from: HOUR, to: HOUR + HOURS * 3600 }
    const told = async () => {
      const found: unknown[] = []
      for (const filters of [{}, { label: 'env:prod' }, { label: 'env:prod', model_name: 'model' }]) {
        const query = { ...anything, ...filters, type: 2 }
        const filter = await readOwnFilter({ db, engine: kind }, query, acting(MEMBER))
        const plain = await sumLogs(db, filter, HOUR)
        const { quota } = await sumLogs(db, filter, HOUR, kept)
        const { total } = await listLogs(kept, filter, page({}), 'owner')
        expect([filters, quota]).toEqual([filters, plain.quota])
        found.push(quota, total)
      }
      const { rows } = await countUsage(
        db,
        now(),
        by({ by: 'token', unit: 'all', ...window }),
        acting(MEMBER),
        usage,
      )
      return [...found, rows.length]
    }
    const before = await told()
    await db.updateTable('tokens').set({ created_by: NEWCOMER }).where('id', '=', 4).execute()
    const after = await told()
    for (const [at, figure] of after.entries()) expect(Number(figure)).toBeLessThan(Number(before[at]))
  })

  test('the rows of one of its keys are found, and of one that was never used none', async () => {
    const store = await fresh()
    const { db } = store
    const keys = ['a'.repeat(48), 'b'.repeat(48)]
    await db
      .updateTable('tokens')
      .set({ key_hash: tokenHash(store, keys[0] ?? ''), name: 'token 5' })
      .where('id', '=', 5)
      .execute()
    await db
      .insertInto('tokens')
      .values(sampleToken({ user_id: TEAM, key_hash: tokenHash(store, keys[1] ?? '') }))
      .execute()
    // For some days it had another name.
    await db
      .updateTable('logs')
      .set({ token_name: 'formerly' })
      .where('token_id', '=', 5)
      .where('created_at', '>=', HOUR + 2 * DAY)
      .where('created_at', '<', HOUR + 4 * DAY)
      .execute()
    // An hour in which it was not called, which may be passed by, and more of them than are worth it.
    const gaps = [
      { from: HOUR + 7 * 3600, hours: 1 },
      { from: HOUR + 5 * DAY, hours: 20 },
      { from: HOUR + 5 * DAY + 22 * 3600, hours: 3 },
    ]
    for (const { from, hours } of gaps)
      for (const [table, column] of [
        ['logs', 'created_at'],
        ['usage_hourly', 'hour'],
      ] as const)
        await sql`delete from ${sql.table(table)} where token_id = 5
          and ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${from + hours * 3600}`.execute(db)
    const expected = await db
      .selectFrom('logs')
      .select('content')
      .where('token_id', '=', 5)
      .orderBy('created_at', 'desc')
      .execute()
    // Of fewer than there are the newest, wherever among them the name changes or an hour ends.
    const token = { id: 5, user_id: TEAM, name: 'token 5', created_time: 0 }
    const newest = await db
      .selectFrom('logs')
      .select(['id', 'created_at'])
      .where('token_id', '=', 5)
      .orderBy('created_at', 'desc')
      .execute()
    for (const most of [1, 100, 143, 144, 145, 150, 200, newest.length])
      expect(await newestOfToken(store, token, most, now())).toEqual(newest.slice(0, most))
    const [used, unused] = await Promise.all(
      keys.map(key => logsOfKey({ store, now }, `sk-${key}`, '127.0.0.1')),
    )
    expect(used?.map(({ content }) => ({ content }))).toEqual(expected)
    expect([expected.length, unused]).toEqual([HOURS - 24, []])
  })

  test('its statistics are the same the first time and later, and those of its rows', async () => {
    const { db } = await fresh()
    const usage = keptUsage(db)
    const window = { from: HOUR, to: HOUR + HOURS * 3600 }
    for (const [owner, ids] of [
      [{ id: TEAM }, [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
      [acting(MEMBER), [1, 4, 7, 10]],
      [acting(NEWCOMER), []],
    ] as const)
      for (const _ of ['read', 'kept'])
        for (const unit of ['hour', 'day', 'week', 'all'] as const) {
          const { rows, truncated } = await countUsage(
            db,
            now(),
            by({ by: 'token', unit, ...window }),
            owner,
            usage,
          )
          expect(truncated).toBe(false)
          expect([...new Set(rows.map(({ key }) => Number(key)))].sort((a, b) => a - b)).toEqual([...ids])
          expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(ids.length * HOURS)
        }
  })
})

test('of more users than are told apart in a year no more are held, and that is said', async () => {
  const store = await openSampleStore((await engines[0]?.freshUrl()) ?? '')
  open.push(store)
  await sql`insert into usage_hourly
      (hour, user_id, token_id, channel_id, model_name, ${sql.ref('group')}, requests, quota)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < 79999)
    select ${HOUR} + (i / 10000) * 864000, i, 0, 0, 'm', 'default', 1, 1 from n`.execute(store.db)
  const query = by({ by: 'user', from: HOUR, to: HOUR + 90 * DAY })
  const whole = await countUsage(store.db, now(), { ...query, unit: 'all' })
  expect([whole.rows.length, whole.truncated]).toEqual([20_000, true])
  const days = await countUsage(store.db, now(), { ...query, to: HOUR + 15 * DAY })
  expect([days.rows.length, days.truncated]).toEqual([20_000, false])
})
