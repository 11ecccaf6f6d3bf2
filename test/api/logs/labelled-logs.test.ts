import { Database } from 'bun:sqlite'
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Insertable, Kysely, sql } from 'kysely'
import { joinLabels, LONGEST_LABEL, MOST_LABELS } from '../../../contract/labels.ts'
import type { LogFilters } from '../../../contract/logs.ts'
import { readEnv } from '../../../server/env.ts'
import { DaysOfCalls } from '../../../server/services/logs/days-of-calls.ts'
import { DaysOfLabels } from '../../../server/services/logs/days-of-labels.ts'
import { listLogs } from '../../../server/services/logs/list-logs.ts'
import { readFilter } from '../../../server/services/logs/log-filter.ts'
import { sumLogs } from '../../../server/services/logs/sum-logs.ts'
import type { Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import type { Logs } from '../../../server/store/log-schema.ts'
import type { Schema } from '../../../server/store/schema.ts'
import { SqliteDialect } from '../../../server/store/sqlite/sqlite-dialect.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, DAY, HOUR, now, page } from './filled-log.ts'

setDefaultTimeout(600_000)
const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const ROWS = 120
/** As long as they can be, of letters that take much room: no index has to take these. */
const longest = joinLabels(
  Array.from({ length: MOST_LABELS }, (_, at) => `${at}${'字'.repeat(LONGEST_LABEL - 1)}`),
)
const longModel = `${'字'.repeat(249)}-model`

/** A call an hour; of each an hourly sum, and another where it is labelled. */
async function fillLabelled({ db, engine }: Store): Promise<void> {
  if (engine === 'postgres') await ensureLogPartitions(db, new Date(HOUR * 1000))
  const ways = [null, 'env:prod,project:1', 'env:prod,project:2', 'project:1', longest]
  const rows = Array.from({ length: ROWS }, (_, at): Insertable<Logs> & { labels: string | null } => ({
    ...{
      created_at: HOUR + at * 3600 + 7,
      type: at % 11 === 0 ? 5 : 2,
      user_id: 1 + (at % 3),
      username: 'u',
    },
    ...{ token_id: 1, token_name: 't', model_name: at % 4 === 3 ? longModel : `model-${at % 4}` },
    ...{ channel_id: 1 + (at % 2), group: at % 7 === 0 ? 'vip' : 'default', is_stream: 0, use_time: 1 },
    ...{ prompt_tokens: 1, completion_tokens: 1, quota: at % 11 === 0 ? 0 : at, request_id: `r${at}` },
    ...{ labels: ways[at % ways.length] ?? null, content: `row ${at}`, other: '' },
  }))
  await db.insertInto('logs').values(rows).execute()
  for (const { created_at, type, user_id, token_id, channel_id, model_name, group, labels, quota } of rows) {
    const hour = Number(created_at) - 7
    const sums = { requests: 1, errors: type === 5 ? 1 : 0, quota, prompt_tokens: 1, completion_tokens: 1 }
    await db
      .insertInto('usage_hourly')
      .values({ hour, user_id, token_id, channel_id, model_name, group, ...sums })
      .execute()
    if (labels !== null)
      await db
        .insertInto('usage_labels_hourly')
        .values({ hour, user_id, token_id, labels, ...sums })
        .execute()
  }
}

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'labelled calls on %s',
  (_name, engine) => {
    test('of a model, a channel or a group are those of the rows, however long their labels are', async () => {
      const store = await openSampleStore(await engine.freshUrl())
      open.push(store)
      await fillLabelled(store)
      const { db, engine: kind } = store
      const kept = {
        db,
        engine: kind,
        days: new DaysOfCalls(db, kind, now),
        labels: new DaysOfLabels(db, now),
      }
      const all = await db.selectFrom('logs').selectAll().orderBy('created_at', 'desc').execute()
      const asked: Partial<LogFilters>[] = [
        ...['project:1', 'env:prod', longest.split(',')[3] ?? ''].flatMap(label => [
          { label, model_name: 'MODEL-1' },
          { label, model_name: '"model-1"', type: 5 },
          { label, model_name: 'model' },
          { label, model_name: longModel.slice(100), channel: 2 },
          { label, channel: 1 },
          { label, group: 'vip', start_timestamp: HOUR + DAY, end_timestamp: HOUR + 3 * DAY + 100 },
        ]),
      ]
      let found = 0
      for (const filters of asked) {
        const { label = '', model_name = '', type, channel, group } = filters
        const { start_timestamp: from = 0, end_timestamp: to = Number.MAX_SAFE_INTEGER } = filters
        const name = model_name.replaceAll('"', '').toLowerCase()
        const ofAnyKind = all.filter(
          row =>
            (row.labels ?? '').split(',').includes(label) &&
            row.model_name.toLowerCase().includes(name) &&
            (channel === undefined || row.channel_id === channel) &&
            (group === undefined || row.group === group) &&
            row.created_at >= from &&
            row.created_at <= to,
        )
        const meant = ofAnyKind.filter(row => type === undefined || row.type === type)
        const read = () => readFilter(kept, { ...anything, ...filters })
        for (const p of [1, 2]) {
          const { items, total } = await listLogs(kept, await read(), page({ p, page_size: 4 }), 'admin')
          const contents = meant.slice((p - 1) * 4, p * 4).map(({ content }) => content)
          expect([filters, total, items.map(({ content }) => content)]).toEqual([
            filters,
            meant.length,
            contents,
          ])
        }
        // What it costs is told of the answered calls, whichever kind is listed.
        const quota = ofAnyKind.reduce((sum, row) => sum + (row.type === 2 ? row.quota : 0), 0)
        expect([filters, (await sumLogs(db, await read(), HOUR, kept)).quota]).toEqual([filters, quota])
        found += meant.length
      }
      expect(found).toBeGreaterThan(100)
    })
  },
)

test('of more calls than are sorted a page is found as well, and all are counted', async () => {
  const store = await openSampleStore((await engines[0]?.freshUrl()) ?? '')
  open.push(store)
  const { db, engine } = store
  const many = 25_000
  const group = sql.ref('group')
  const call = sql`1, 1, 1, 'm', 'default'`
  await sql`insert into logs (created_at, type, user_id, token_id, channel_id, model_name, ${group}, labels, quota,
      request_id, content, other)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${many - 1})
    select ${HOUR} + i / 10, 2, ${call}, 'env:prod', 2, 'r' || i, 'row ' || i, '' from n`.execute(db)
  await sql`insert into usage_hourly (hour, user_id, token_id, channel_id, model_name, ${group}, requests, quota)
    values (${HOUR}, ${call}, ${many}, ${many * 2})`.execute(db)
  await sql`insert into usage_labels_hourly (hour, user_id, token_id, labels, requests, quota)
    values (${HOUR}, 1, 1, 'env:prod', ${many}, ${many * 2})`.execute(db)
  const kept = { db, engine, days: new DaysOfCalls(db, engine, now), labels: new DaysOfLabels(db, now) }
  const filter = await readFilter(kept, { ...anything, label: 'env:prod', model_name: 'm' })
  const { items, total, total_is_estimate } = await listLogs(kept, filter, page({ p: 3 }), 'admin')
  expect([items[0]?.content, items.length]).toEqual([`row ${many - 21}`, 10])
  expect([total, total_is_estimate]).toEqual([many, false])
  expect((await sumLogs(db, filter, HOUR, kept)).quota).toBe(many * 2)
})

test('calls of a label and a model are counted and added up in the index alone', async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  const { database } = readEnv({ DATABASE_URL: url })
  const store = await openSampleStore(url)
  open.push(store)
  await fillLabelled(store)
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect(database.target),
    log: ({ query }) => {
      asked.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  const kept = {
    ...{ db, engine: 'sqlite' as const },
    ...{ days: new DaysOfCalls(db, 'sqlite', now), labels: new DaysOfLabels(db, now) },
  }
  const filter = await readFilter(kept, { ...anything, label: 'project:1', model_name: 'model-1' })
  await listLogs(kept, filter, page({}), 'admin')
  await sumLogs(db, filter, HOUR, kept)
  await db.destroy()
  const file = new Database(database.target, { readonly: true })
  const plans = asked
    .filter(({ sql }) => sql.includes('labels in'))
    .map(({ sql, parameters }) => {
      const steps = file.query(`explain query plan ${sql}`).all(...(parameters as number[]))
      return (steps as { detail: string }[]).map(({ detail }) => detail).join('; ')
    })
  file.close()
  // The page, its count, and the sums of some days each.
  expect(plans.length).toBeGreaterThan(2)
  expect(plans.filter(plan => !plan.includes('USING COVERING INDEX logs_labelled'))).toEqual([])
})
