import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { Ledger } from '../../../server/ledger/ledger.ts'
import { refundCharge } from '../../../server/ledger/refund.ts'
import { narrowedToDays } from '../../../server/services/logs/days-in-common.ts'
import { DaysOfCalls } from '../../../server/services/logs/days-of-calls.ts'
import { DaysOfLabels } from '../../../server/services/logs/days-of-labels.ts'
import { listLogs, withModelNames } from '../../../server/services/logs/list-logs.ts'
import { readFilter } from '../../../server/services/logs/log-filter.ts'
import { sumLogs } from '../../../server/services/logs/sum-logs.ts'
import { countUsage, keptUsage } from '../../../server/services/statistics/count-usage.ts'
import { hoursOfModels, keptHours, keptModels } from '../../../server/services/statistics/handlers.ts'
import { KeptDays, sweepKeptDays } from '../../../server/services/statistics/kept-days.ts'
import { PastDays, type Span } from '../../../server/services/statistics/past-days.ts'
import { modelPerformance } from '../../../server/services/statistics/performance.ts'
import { modelRankings } from '../../../server/services/statistics/rankings.ts'
import type { Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, by, clear, DAY, fill, HOUR, page } from './filled-log.ts'

// What days that are over came to outlives the process that added them up, and is never believed once they have changed.

const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const NOW = HOUR + 20 * DAY
const EVER = Number.MAX_SAFE_INTEGER

/** One that has just started: it knows nothing but what the database tells. */
function startNode(store: Store, now = NOW) {
  const { db, engine } = store
  const kept = new KeptDays(store, () => now, { worthMs: 0 })
  const usage = keptUsage(db, kept)
  const days = new DaysOfCalls(db, engine, () => now, kept)
  const labels = new DaysOfLabels(db, () => now, kept)
  const source = { db, engine, days, labels }
  return {
    kept,
    source,
    async usage(asked: Parameters<typeof by>[0] = {}) {
      return (await countUsage(db, now, by({ to: HOUR + 15 * DAY, ...asked }), undefined, usage)).rows
    },
    async requests() {
      return (await this.usage()).reduce((sum, row) => sum + row.requests, 0)
    },
    async found(asked: Partial<typeof anything>) {
      const filter = await readFilter(source, { ...anything, ...asked })
      return (await listLogs(source, filter, page({}), 'admin')).total
    },
    /** What the pages of a channel's calls show, from the newest on. */
    async leafed() {
      const filter = await readFilter(source, { ...anything, channel: 4 })
      const pages = [1, 2, 3, 4, 5, 6, 7].map(async p => listLogs(source, filter, page({ p }), 'admin'))
      return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ request_id }) => request_id))
    },
    async quota(asked: Partial<typeof anything>) {
      const filter = await readFilter(source, { ...anything, ...asked })
      return (await sumLogs(db, filter, now, source)).quota
    },
    hours: (from: number, to: number) => keptHours(db, { from, to }, now, keptModels(kept).all),
    rankings: async () => (await modelRankings(db, () => now, kept)('month', 'calls', () => true)).models,
    performance: async () => (await modelPerformance(db, () => now, kept)(720)).models,
  }
}

describe.each(engines.map(engine => [engine.name, engine] as const))('days on %s', (name, engine) => {
  const fresh = async (): Promise<Store> => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    if (name === 'postgres')
      for (const time of [HOUR, NOW]) await ensureLogPartitions(store.db, new Date(time * 1000))
    await fill(store)
    return store
  }
  const ledgerOf = (store: Store, now = NOW) => {
    const journal = {
      append: () => Promise.reject(new Error('none')),
      pending: () => [],
      clear: async () => {},
    }
    return new Ledger({ batch: store.batch, journal, now: () => now, nodeId: () => 'n' })
  }
  /** As after an outage: the call was at a time that is long over. */
  const addLate = async (
    store: Store,
    created_at: number,
    more: { cost?: number; labels?: string; model_name?: string } = {},
    { id = 'late', now = NOW } = {},
  ) => {
    const of = { id, userId: 1, tokenId: 0 }
    const ledger = ledgerOf(store, now)
    await ledger.hold(of, { most: 100, least: 1, price: '{}' })
    await ledger.settle(of, 7, {
      ...{ created_at, type: 2, user_id: 1, username: 'ann', token_id: 0, token_name: 't' },
      ...{ model_name: 'even_m', channel_id: 4, group: 'default', is_stream: 0, use_time: 1 },
      ...{ prompt_tokens: 10, completion_tokens: 2, request_id: id, content: '', other: '', ...more },
    })
  }
  const forgetSums = async ({ db }: Store): Promise<void> => {
    for (const table of ['usage_hourly', 'usage_latency_hourly'] as const)
      await db.deleteFrom(table).where('hour', '<', EVER).execute()
  }

  test('are not added up again by who starts after them, whatever is asked', async () => {
    const store = await fresh()
    // By so many that rankings and figures tell of it.
    const often = { token_id: 0, channel_id: 4, model_name: 'even_m', group: 'default', requests: 30 }
    const figures = { ...often, errors: 0, quota: 1, prompt_tokens: 1, completion_tokens: 1 }
    const others = [3, 4, 5].map(user_id => ({ hour: HOUR + 3 * DAY, user_id, ...figures }))
    await store.db.insertInto('usage_hourly').values(others).execute()
    const ask = async (node: ReturnType<typeof startNode>) => {
      // So many days wait to be written at most.
      const kept = async <T>(asked: Promise<T>): Promise<T> => {
        const told = await asked
        await node.kept.written()
        return told
      }
      return {
        all: await kept(node.usage()),
        models: await kept(node.usage({ by: 'model' })),
        hours: await kept(node.usage({ by: 'model', unit: 'hour' })),
        there: await kept(node.usage({ by: 'user', zone: 'Asia/Shanghai' })),
        performance: await kept(node.performance()),
        rankings: await kept(node.rankings()),
      }
    }
    const first = startNode(store)
    const known = await ask(first)
    expect(known.models.map(({ requests }) => requests)).toEqual([10, 10, 20, 20, 90])
    expect([known.performance.size, known.rankings.length]).toEqual([1, 1])
    const kept = await store.db.selectFrom('kept_days').select('name').distinct().execute()
    expect(new Set(kept.map(row => row.name.split(' ')[0]))).toEqual(
      new Set(['usage', 'performance', 'rankings']),
    )
    await forgetSums(store)
    expect(await ask(startNode(store))).toEqual(known)
  })

  test('nor are their hours by who asks from one of them on', async () => {
    const store = await fresh()
    const first = startNode(store)
    for (const from of [HOUR - 1800, HOUR + 1, HOUR + 7000]) {
      const known = await hoursOfModels(store.db, { from, to: NOW })
      expect(await first.hours(from, NOW)).toMatchObject(known)
      expect(known.length).toBeGreaterThan(0)
    }
    const known = await hoursOfModels(store.db, { from: HOUR + 3600, to: NOW })
    await first.kept.written()
    await store.db.updateTable('usage_hourly').set({ quota: 0 }).execute()
    expect(await startNode(store).hours(HOUR + 3600, NOW)).toMatchObject(known)
  })

  test('nor is how many rows they have of a model, a channel, a group or a token', async () => {
    const store = await fresh()
    const asked = [{ model_name: 'even_m' }, { channel: 4 }, { group: 'default' }]
    const ask = async (node: ReturnType<typeof startNode>) => [
      ...(await Promise.all(asked.map(one => node.quota(one)))),
      await node.quota({ token_name: 't' }),
      await node.found({ channel: 4 }),
    ]
    const first = startNode(store)
    const known = await ask(first)
    expect(known.at(-1)).toBe(60)
    await first.kept.written()
    await store.db.updateTable('usage_hourly').set({ quota: 0, requests: 0, errors: 0 }).execute()
    await store.db.updateTable('logs').set({ quota: 0 }).where('created_at', '>', 0).execute()
    expect(await ask(startNode(store))).toEqual(known)
  })

  test('that have changed count as they are now, for those who knew them and for those who start', async () => {
    const store = await fresh()
    const nodes = [startNode(store), startNode(store)]
    for (const node of nodes) {
      expect(await node.requests()).toBe(60)
      await node.kept.written()
    }
    await addLate(store, HOUR + 5)
    for (const node of [...nodes, startNode(store)]) expect(await node.requests()).toBe(61)
    await nodes[0]?.kept.written()
    // And what it came to then is kept in place of that.
    await forgetSums(store)
    expect(await startNode(store).requests()).toBe(61)
  })

  test('are leafed through by hours that are known, and by others once they have changed', async () => {
    const store = await fresh()
    const node = startNode(store)
    const before = await node.leafed()
    expect(new Set(before).size).toBe(60)
    // In an hour that had no calls.
    await addLate(store, HOUR - 3600)
    const after = await node.leafed()
    expect(after).toEqual([...before, 'late'])
    await store.db.updateTable('usage_hourly').set({ requests: 0, errors: 0 }).execute()
    expect(await node.leafed()).toEqual(after)
  })

  test('of which a charge was given back cost that much less at once', async () => {
    const store = await fresh()
    await addLate(store, HOUR + 5, { cost: 3 })
    const node = startNode(store)
    const costs = async (of: typeof node) => (await of.usage()).reduce((sum, { cost }) => sum + cost, 0)
    expect(await costs(node)).toBe(3)
    await node.kept.written()
    await store.db.updateTable('holds').set({ created_at: HOUR }).where('id', '=', 'late').execute()
    await store.transaction(transaction =>
      refundCharge(transaction, store, NOW, {
        requestId: 'late',
        channelId: 4,
        describe: () => ({ type: 1, content: '' }),
      }),
    )
    for (const one of [node, startNode(store)]) expect(await costs(one)).toBe(0)
  })

  test('that change while they are added up are added up again', async () => {
    const store = await fresh()
    const form = { name: 'test', columns: ['time', 'rows'] } as const
    const kept = new KeptDays(store, () => NOW, { worthMs: 0 })
    const count = async ({ from, before }: Span) => {
      const row = await store.db
        .selectFrom('usage_hourly')
        .where('hour', '>=', from)
        .where('hour', '<', before)
        .select(hours => hours.fn.sum('requests').as('rows'))
        .executeTakeFirstOrThrow()
      return [{ time: from, rows: Number(row.rows) }]
    }
    const window = { from: HOUR - (HOUR % DAY), before: HOUR - (HOUR % DAY) + DAY }
    const read = (load = count) =>
      new PastDays<{ time: number; rows: number }>({ books: { kept, form } }).read(
        '',
        window,
        { now: NOW },
        load,
      )
    const [before] = await read(async span => {
      const rows = await count(span)
      await addLate(store, HOUR + 5)
      return rows
    })
    await kept.written()
    const [after] = await read()
    expect(after?.rows).toBe((before?.rows ?? 0) + 1)
    await kept.written()
    expect(await read(() => Promise.reject(new Error('it is known')))).toEqual([after as never])
  })

  test('are not looked through for names that were read before they changed', async () => {
    const store = await fresh()
    const [before, later] = [startNode(store), startNode(store)]
    const [labels, time] = ['env:prod', HOUR + 5]
    await addLate(store, time, { labels }, { id: 'first' })
    const [label, model_name, token_name] = ['env:prod', 'even', 't']
    const window = { from: HOUR - (HOUR % DAY), before: NOW }
    const within = { start_timestamp: window.from, end_timestamp: NOW }
    const filter = (asked: Partial<typeof anything>) => readFilter(before.source, { ...anything, ...asked })
    const ofLabel = await filter({ label, model_name })
    const byWays = await narrowedToDays(store.db, { ...ofLabel, type: 2 }, before.source)
    const byNames = await withModelNames(
      before.source.days,
      await filter({ token_name, model_name, ...within }),
    )
    expect([byWays.ways, byNames.modelNames?.includes('even_m')]).toEqual([[labels], true])
    // Of a model and labelled in a way that nobody was before.
    await addLate(store, time, { labels: `${labels},project:1`, model_name: 'even_n' }, { id: 'second' })
    await before.source.days.quotaOfLabelled(byWays, window)
    await before.source.days.rowsOfToken({ ...byNames, tokenName: token_name, modelName: model_name }, window)
    await before.kept.written()
    expect(await later.quota({ label, model_name })).toBe(14)
    expect(await later.found({ token_name, model_name, ...within })).toBe(32)
  })

  test('are not kept by a clock that has leapt ahead of them', async () => {
    const store = await fresh()
    const midnight = HOUR - (HOUR % DAY) + DAY
    let now = midnight - 600
    const kept = new KeptDays(store, () => now, { worthMs: 0 })
    const count = () => countUsage(store.db, now, by({ to: now }), undefined, keptUsage(store.db, kept))
    now += DAY
    await count()
    await kept.written()
    now -= DAY
    // Who comes in time says nothing.
    await addLate(store, midnight - 300, {}, { now: midnight - 300 })
    expect(await store.db.selectFrom('changed_days').select('day').execute()).toEqual([])
    expect(await startNode(store).requests()).toBe(61)
  })

  test('are not kept while a node may still be in them, nor what no day is', async () => {
    const store = await fresh()
    const midnight = HOUR - (HOUR % DAY) + DAY
    const count = async (): Promise<number> => {
      const rows = await store.db.selectFrom('kept_days').select('starts_at').execute()
      return rows.filter(({ starts_at }) => Number(starts_at) === midnight - DAY).length
    }
    for (const [over, kept] of [
      [3599, 0],
      [3600, 1],
    ] as const) {
      const node = startNode(store, midnight + over)
      await node.usage({ to: midnight + over })
      await node.kept.written()
      expect(await count()).toBe(kept)
    }
    const { length } = await store.db.selectFrom('kept_days').select('starts_at').execute()
    const part = startNode(store)
    await part.usage({ from: HOUR + 3600, to: HOUR + 7200 })
    await part.kept.written()
    expect(await store.db.selectFrom('kept_days').select('starts_at').execute()).toHaveLength(length)
  })

  test('of a log that was cleared are counted as far as it is there', async () => {
    const store = await fresh()
    const node = startNode(store)
    expect([await node.found({ channel: 4 }), await node.quota({ token_name: 't' })]).toEqual([60, 1566])
    await node.kept.written()
    await clear(store, HOUR + 30 * 180)
    for (const one of [node, startNode(store)]) {
      expect([await one.found({ channel: 4 }), await one.quota({ token_name: 't' })]).toEqual([30, 1188])
      // Its sums stay.
      expect(await one.requests()).toBe(60)
    }
  })

  test.each([
    ['days', (days: number, bytes: number) => ({ days: days - 1, bytes })],
    ['bytes', (days: number, bytes: number) => ({ days, bytes: bytes - 1 })],
  ])('of another version, and those that nobody asks for, are forgotten, by their %s', async (_, most) => {
    const store = await fresh()
    const node = startNode(store)
    expect(await node.requests()).toBe(60)
    await node.kept.written()
    for (const { sums, bytes } of await store.db.selectFrom('kept_days').select(['sums', 'bytes']).execute())
      expect(Number(bytes)).toBe(Buffer.byteLength(sums))
    await store.db.updateTable('kept_days').set({ sums: '["time","other"]\n[1,2]' }).execute()
    const next = startNode(store)
    expect(await next.requests()).toBe(60)
    await next.kept.written()
    const count = async (): Promise<number> =>
      (await store.db.selectFrom('kept_days').select('name').execute()).length
    const all = await count()
    expect(all).toBeGreaterThan(0)
    await sweepKeptDays(store, NOW + 39 * DAY)
    expect(await count()).toBe(all)
    const days = store.db
      .selectFrom('kept_days')
      .select(['name', 'starts_at', 'bytes'])
      .orderBy('starts_at')
      .orderBy('name')
    for (const [at, { name: whose, starts_at }] of (await days.execute()).entries())
      await store.db
        .updateTable('kept_days')
        .set({ bytes: 100 + at })
        .where('name', '=', whose)
        .where('starts_at', '=', starts_at)
        .execute()
    const sized = await days.execute()
    const inUse = Number(sized[0]?.starts_at)
    await store.db
      .updateTable('kept_days')
      .set({ seen_at: NOW + DAY })
      .where('starts_at', '=', inUse)
      .execute()
    const bytes = sized.reduce((sum, day) => sum + Number(day.bytes), 0)
    await sweepKeptDays(store, NOW + 39 * DAY, { days: all, bytes })
    expect(await count()).toBe(all)
    await sweepKeptDays(store, NOW + 39 * DAY, most(all, bytes))
    // All the others were seen at the same time: the shortest of them is one too many.
    const others = sized.filter(({ starts_at }) => Number(starts_at) !== inUse)
    expect(await days.execute()).toEqual(sized.filter(day => day !== others[0]))
    await sweepKeptDays(store, NOW + 42 * DAY)
    expect(await count()).toBe(0)
  })
})
