import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { LogFilters, LogPage } from '../../../contract/logs.ts'
import { audit } from '../../../server/ledger/audit.ts'
import { BackgroundWork } from '../../../server/services/background-work.ts'
import { clearLogs } from '../../../server/services/logs/clear-logs.ts'
import { DaysOfCalls } from '../../../server/services/logs/days-of-calls.ts'
import { searchLogs } from '../../../server/services/logs/find-logs.ts'
import { listLogs } from '../../../server/services/logs/list-logs.ts'
import { readFilter, readOwnFilter } from '../../../server/services/logs/log-filter.ts'
import { sumLogs } from '../../../server/services/logs/sum-logs.ts'
import { countUsage } from '../../../server/services/statistics/count-usage.ts'
import { hoursOfModels } from '../../../server/services/statistics/handlers.ts'
import type { Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import { until } from '../../program.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, by, clear, DAY, fill, HOUR, now, page } from './filled-log.ts'

const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const rename = ({ db }: Store, request_id: string, to: string) =>
  db.updateTable('logs').set({ request_id: to }).where('request_id', '=', request_id).execute()

async function contentsOf(store: Store, request_id: string): Promise<string[]> {
  const filter = await readFilter(store, { ...anything, request_id })
  const { items } = await listLogs(store, filter, page({}), 'admin')
  return items.map(({ content }) => content)
}

describe.each(engines.map(engine => [engine.name, engine] as const))('the log on %s', (name, engine) => {
  const fresh = async (): Promise<Store> => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    if (name === 'postgres') await ensureLogPartitions(store.db, new Date(HOUR * 1000))
    await fill(store)
    return store
  }

  test('is listed, filtered and summed', async () => {
    const store = await fresh()
    const { db, engine } = store
    const list = async (filters: Partial<LogFilters>, asked: Partial<LogPage> = {}) => {
      const filter = await readFilter(store, { ...anything, ...filters })
      const { items, total } = await listLogs({ db, engine }, filter, page(asked), 'admin')
      return { rows: items.map(({ content }) => content), total, last: items.at(-1)?.id }
    }
    const first = await list({})
    expect([first.rows[0], first.rows.length, first.total]).toEqual(['row 59', 10, 60])
    expect((await list({}, { p: 6 })).rows.at(-1)).toBe('row 0')
    expect((await list({}, { before_id: first.last })).rows[0]).toBe('row 49')
    expect((await list({}, { after_id: first.last, page_size: 3 })).rows).toEqual([
      'row 53',
      'row 52',
      'row 51',
    ])
    expect((await list({ username: 'ben' })).total).toBe(20)
    expect((await list({ model_name: 'm%' })).total).toBe(30)
    expect((await list({ model_name: 'n_M' })).total).toBe(30)
    expect((await list({ model_name: '_m%' })).total).toBe(0)
    // As scripts of this family ask.
    expect((await list({ model_name: 'even%' })).total).toBe(30)
    expect((await list({ model_name: '%EVEN_M%' })).total).toBe(30)
    expect((await list({ model_name: '%even' })).total).toBe(0)
    expect((await list({ model_name: '%_m' })).total).toBe(30)
    expect((await list({ model_name: 'e%_m' })).total).toBe(0)
    // In quotation marks the whole name is meant.
    expect((await list({ model_name: '"even_m"' })).total).toBe(30)
    expect((await list({ model_name: '"even"' })).total).toBe(0)
    expect((await list({ model_name: '""' })).total).toBe(0)
    expect((await list({ request_id: 'r31' })).rows).toEqual(['row 31'])
    expect((await list({ request_id: 'r31', username: 'ben' })).rows).toEqual([])
    expect((await list({ type: 5 })).total).toBe(6)
    const sum = async (filters: Partial<LogFilters>) =>
      (await sumLogs(db, await readFilter(store, { ...anything, ...filters }), HOUR + 59 * 180 + 30)).quota
    const all = (1770 - (9 + 19 + 29 + 39 + 49 + 59)) as number
    expect(await sum({})).toBe(all)
    expect(await sum({ start_timestamp: HOUR + 1, end_timestamp: HOUR + 3 * 3600 })).toBe(all)
    expect(await sum({ start_timestamp: HOUR + 5 * 180, end_timestamp: HOUR + 50 * 180 })).toBe(
      1275 - 10 - (9 + 19 + 29 + 39 + 49),
    )
    expect(await sum({ token_name: 't', start_timestamp: HOUR + 60 })).toBe(all)
    // The same once the days are known.
    const days = new DaysOfCalls(db, engine, now)
    expect(await sum({ model_name: '"even_m"', start_timestamp: HOUR + 1 })).toBeGreaterThan(0)
    expect(await sum({ model_name: '"even"', start_timestamp: HOUR + 1 })).toBe(0)
    const narrowed = [
      ...[{ model_name: 'EVEN' }, { model_name: '"even_m"' }, { model_name: '"even"' }],
      ...[{ model_name: 'Even%' }, { model_name: '%_m' }, { model_name: '%even' }],
      ...[{}, { token_name: 't' }, { channel: 4 }, { group: 'x' }],
    ]
    for (const filters of narrowed)
      for (const _ of ['read', 'known']) {
        const asked = await readFilter(store, { ...anything, ...filters, start_timestamp: HOUR + 5 * 180 })
        const { quota } = await sumLogs(db, asked, HOUR, { days })
        expect(quota).toBe((await sumLogs(db, asked, HOUR)).quota)
      }
    const filter = await readOwnFilter(store, anything, { id: 1 })
    expect(await sumLogs(db, filter, HOUR + 58 * 180 + 30)).toMatchObject({ rpm: 1, tpm: 12 })
  })

  test('of a token and a part of a model has what began in the hour that the window cuts', async () => {
    const { db, engine } = await fresh()
    const [row] = await db
      .selectFrom('logs')
      .selectAll()
      .where('model_name', '=', 'even_m')
      .limit(1)
      .execute()
    if (!row) throw new Error('no row')
    const { id: _, ...copied } = row
    const once = { model_name: 'even_once', created_at: HOUR + 1000, request_id: 'once' }
    await db
      .insertInto('logs')
      .values({ ...copied, ...once })
      .execute()
    const { user_id, token_id, channel_id, group } = row
    const unused = { errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
    await db
      .insertInto('usage_hourly')
      .values({
        ...unused,
        hour: HOUR,
        user_id,
        token_id,
        channel_id,
        group,
        model_name: 'even_once',
        requests: 1,
      })
      .execute()
    const asked = { token_name: 't', model_name: 'even', start_timestamp: HOUR + 900 }
    const filter = await readFilter({ db, engine }, { ...anything, ...asked })
    const { items } = await listLogs({ db, engine }, filter, page({ page_size: 100 }), 'admin')
    expect(items.map(({ model_name }) => model_name)).toContain('even_once')
    expect(items.map(({ model_name }) => model_name)).toContain('even_m')
  })

  test('is searched as far as the newest twenty thousand rows', async () => {
    const store = await fresh()
    const { db } = store
    const [row] = await db.selectFrom('logs').selectAll().limit(1).execute()
    if (!row) throw new Error('no row')
    const { id: _, ...copied } = row
    const moment = HOUR + DAY
    // 40 of one moment, and then 39 that are doubled 9 times: of the 40 the last 32 count.
    const rows = Array.from({ length: 79 }, (_none, at) => ({
      ...copied,
      user_id: 1,
      created_at: at < 40 ? moment : moment + at,
      model_name: at < 40 ? 'ancient' : 'recent',
      content: `row ${at}`,
    }))
    await db.insertInto('logs').values(rows).execute()
    const columns = Object.keys(copied) as (keyof typeof copied)[]
    for (let times = 0; times < 9; times++)
      await db
        .insertInto('logs')
        .columns(columns)
        .expression(db.selectFrom('logs').select(columns).where('created_at', '>', moment))
        .execute()
    for (const owner of [undefined, { id: 1 }]) {
      const found = await searchLogs({ store }, 'ancient', owner)
      expect(found.map(({ content }) => content)).toEqual(
        Array.from({ length: 32 }, (_none, at) => `row ${39 - at}`),
      )
      const recent = await searchLogs({ store }, 'recent', owner)
      expect([recent.length, recent[0]?.content, recent[99]?.content]).toEqual([100, 'row 78', 'row 78'])
      expect(await searchLogs({ store }, '', owner)).toEqual(recent)
    }
    // So is one for a request whose id is none of ours.
    await rename(store, 'r8', 'elsewhere')
    expect([await contentsOf(store, 'r31'), await contentsOf(store, 'elsewhere')]).toEqual([['row 31'], []])
  })

  test('knows calls that another gateway served by their numbers there, wherever in it they lie', async () => {
    const store = await fresh()
    // As an import leaves them: before all others and in the order of their numbers, of which some were no calls.
    for (let at = 0; at < 40; at++) await rename(store, `r${at}`, at % 5 === 4 ? '' : `import-${10 + at * 3}`)
    for (let number = 8; number < 132; number++) {
      const at = (number - 10) / 3
      const isThere = Number.isInteger(at) && at >= 0 && at < 40 && at % 5 !== 4
      expect(await contentsOf(store, `import-${number}`)).toEqual(isThere ? [`row ${at}`] : [])
    }
    expect(await contentsOf(store, 'r40')).toEqual(['row 40'])
    // Those that are cleared are missed by nobody but who asks for them.
    await clear(store, HOUR + 20 * 180)
    expect([await contentsOf(store, 'import-40'), await contentsOf(store, 'import-76')]).toEqual([
      [],
      ['row 22'],
    ])
  })

  test('has the same pages whether the hours are asked where they lie or not', async () => {
    const store = await fresh()
    const { db, engine: kind } = store
    const noted = {
      username: 'root',
      token_id: 0,
      token_name: '',
      channel_id: 4,
      group: 'default',
      is_stream: 0,
    }
    const rest = { use_time: 0, prompt_tokens: 0, completion_tokens: 0, quota: 0, request_id: '', other: '' }
    for (const [at, type] of [2, 4, 3, 2, 1].entries()) {
      const row = {
        created_at: HOUR + at * 2000,
        type,
        user_id: 1,
        model_name: 'even_m',
        channel_id: at === 3 ? 5 : 4,
        content: `noted ${at}`,
      }
      await db
        .insertInto('logs')
        .values({ ...noted, ...rest, ...row })
        .execute()
    }
    await clear(store, HOUR + 1000)
    const asked: Partial<LogFilters>[] = [
      { type: 2 },
      { type: 5 },
      { type: 4 },
      { model_name: 'even' },
      { model_name: 'odd', type: 2, username: 'ann' },
      { channel: 4, start_timestamp: HOUR + 2000, end_timestamp: HOUR + 8000 },
      { group: 'default' },
      { channel: 5 },
      { model_name: 'even', channel: 4, group: 'default', type: 2 },
      { model_name: 'even', channel: 4 },
      { model_name: 'even', channel: 5 },
      { model_name: 'odd', channel: 4 },
      { channel: 5, group: 'default' },
      { token_name: 't', start_timestamp: HOUR + 2000 },
      { token_name: 't', model_name: 'even', start_timestamp: HOUR + 2000, end_timestamp: HOUR + 9000 },
      { token_name: 't', model_name: 'M', start_timestamp: HOUR - DAY, end_timestamp: HOUR + 2 * DAY },
      { token_name: 't', model_name: 'none', start_timestamp: HOUR - DAY, end_timestamp: HOUR + 2 * DAY },
      { token_name: 't', model_name: '"even_m"', type: 2, start_timestamp: HOUR, end_timestamp: HOUR + DAY },
      { username: 'nobody' },
    ]
    const days = new DaysOfCalls(db, kind, now)
    for (const filters of asked)
      for (const p of [1, 2, 4, 9, 1]) {
        const filter = await readFilter(store, { ...anything, ...filters })
        const seen = await listLogs({ db, engine: kind, days }, filter, page({ p, page_size: 7 }), 'admin')
        // Where there is no such index, the log itself is read.
        const plain = await listLogs({ db, engine: 'mysql' }, filter, page({ p, page_size: 7 }), 'admin')
        expect(seen).toEqual(plain)
      }
    const filter = await readFilter(store, { ...anything, type: 2 })
    expect((await listLogs({ db, engine: kind }, filter, page({}), 'admin')).total).toBe(54 - 6 + 1)
  })

  test('is counted by the hour, with how long answers took', async () => {
    const { db } = await fresh()
    const [all] = (await countUsage(db, HOUR, by({ unit: 'week' }))).rows
    expect(all).toMatchObject({
      time: 1_699_833_600,
      key: '',
      requests: 60,
      errors: 6,
      prompt_tokens: 540,
      completion_tokens: 108,
      first_token_p50: 141,
      first_token_p95: 193,
    })
    // 27 of 54 took 150 ms, 27 took 1500: the median is at the end of the first bucket.
    expect([all?.latency_p50, all?.latency_p95]).toEqual([200, 1493])
    const hours = (await countUsage(db, HOUR, by({ unit: 'hour', by: 'user' }))).rows
    expect(hours.map(({ time, key, name, requests }) => [time - HOUR, key, name, requests])).toEqual([
      [0, '1', 'ann', 13],
      [0, '2', 'ben', 7],
      [3600, '1', 'ann', 13],
      [3600, '2', 'ben', 7],
      [7200, '1', 'ann', 14],
      [7200, '2', 'ben', 6],
    ])
    expect(hours[0]).toMatchObject({ latency_p50: 141, latency_p95: 193 })
    const models = (await countUsage(db, HOUR, by({ by: 'model', unit: 'week' }), { id: 2 })).rows
    expect(models.map(({ key, requests }) => [key, requests]).sort()).toEqual([
      ['M%odd', 10],
      ['even_m', 10],
    ])
    // 23:00 UTC is the next day in Peking.
    expect((await countUsage(db, HOUR, by({ offset: 480 }))).rows.map(({ time }) => time)).toEqual([
      1_699_977_600,
    ])
    const data = await hoursOfModels(db, { from: HOUR, to: HOUR + 3600 }, { id: 1, username: 'ann' })
    expect(data.map(row => [row.created_at - HOUR, row.model_name, row.count, row.token_used])).toEqual([
      [0, 'M%odd', 6, 72],
      [0, 'even_m', 6, 72],
      [3600, 'M%odd', 5, 60],
      [3600, 'even_m', 7, 84],
    ])
  })

  test('is cleared by parts, also where many rows are of one second', async () => {
    const store = await fresh()
    const [row] = await store.db.selectFrom('logs').selectAll().limit(1).execute()
    if (!row) throw new Error('no row')
    const { id: _, ...copied } = row
    const old = Array.from({ length: 201 }, (_, at) => ({ ...copied, created_at: HOUR - 10 + (at % 2) }))
    await store.db.insertInto('logs').values(old).execute()
    expect(await clear(store, HOUR - 9)).toBe(101)
    expect(await clear(store, HOUR - 8)).toBe(100)
    const left = await store.db.selectFrom('logs').select('created_at').orderBy('created_at').execute()
    expect([left.length, left[0]?.created_at]).toEqual([60, HOUR])
  })

  test('whose clearing is stopped has lost what the answer says, and no more', async () => {
    const store = await fresh()
    const [row] = await store.db.selectFrom('logs').selectAll().limit(1).execute()
    if (!row) throw new Error('no row')
    const { id: _, ...copied } = row
    const old = Array.from({ length: 1000 }, (_, at) => ({ ...copied, created_at: HOUR - 1000 + at }))
    for (let at = 0; at < old.length; at += 100)
      await store.db
        .insertInto('logs')
        .values(old.slice(at, at + 100))
        .execute()
    const work = new BackgroundWork({ store, now })
    let answer: Awaited<ReturnType<typeof clearLogs>> | undefined
    const clearing = clearLogs(store, work, { before: HOUR, upTo: Number.MAX_SAFE_INTEGER }).then(told => {
      answer = told
    })
    while (!answer) {
      await work.stop()
      await Bun.sleep(0)
    }
    await clearing
    const left = await store.db.selectFrom('logs').select('id').where('created_at', '<', HOUR).execute()
    expect(answer).toEqual({ rows: 1000 - left.length, hasEnded: true })
    expect(left.length).toBeWithin(1, 1000)
    expect(await clear(store, HOUR)).toBe(left.length)
  })

  test('is cleared, by the month where it is partitioned, and the books agree before and after', async () => {
    const store = await fresh()
    const wrong = async () => (await audit(store.db)).checks.filter(({ differences }) => differences > 0)
    expect(await wrong()).toEqual([])
    const held = await store.db
      .selectFrom('holds')
      .select(['held', 'charge'])
      .where('id', '=', 'r40')
      .execute()
    expect(held).toEqual([{ held: 100, charge: 40 }])
    // Half an hour in: ten calls, and the rest of that hour stays.
    expect(await clear(store, HOUR + 1800)).toBe(10)
    expect(await wrong()).toEqual([])
    expect(await clear(store, HOUR + 1800)).toBe(0)
    expect(await clear(store, HOUR + 40 * DAY)).toBe(50)
    const progress = () =>
      store.db.selectFrom('background_work').selectAll().where('name', '=', 'clear-logs').executeTakeFirst()
    await until(async () => ((await progress())?.ended_at ?? 0) > 0)
    expect(await progress()).toMatchObject({ total: 50, done: 50 })
    expect(await store.db.selectFrom('logs').select('id').execute()).toEqual([])
    expect(await wrong()).toEqual([])
    // Up to a time before that: the log is whole from no earlier on than it was.
    expect(await clear(store, HOUR)).toBe(0)
    expect(await wrong()).toEqual([])
    if (name !== 'postgres') return
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname in ('logs_2023_11', 'logs_2023_12')`.execute(
      store.db,
    )
    expect(rows).toEqual([{ name: 'logs_2023_12' }])
  })
})
