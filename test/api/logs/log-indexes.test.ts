import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { Kysely } from 'kysely'
import { readEnv } from '../../../server/env.ts'
import { exportLogs } from '../../../server/services/logs/export-logs.ts'
import { listLogs } from '../../../server/services/logs/list-logs.ts'
import { readFilter, readOwnFilter } from '../../../server/services/logs/log-filter.ts'
import { sumLogs } from '../../../server/services/logs/sum-logs.ts'
import { countUsage } from '../../../server/services/statistics/count-usage.ts'
import { hoursOfModels } from '../../../server/services/statistics/handlers.ts'
import type { Schema } from '../../../server/store/schema.ts'
import { SqliteDialect } from '../../../server/store/sqlite/sqlite-dialect.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, by, clear, DAY, fill, HOUR, page } from './filled-log.ts'

afterAll(dropAll)

test('every question about the log and the hours has an index', async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  const { database } = readEnv({ DATABASE_URL: url })
  const store = await openSampleStore(url)
  await fill(store)
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect(database.target),
    log: ({ query }) => {
      asked.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  const window = { start_timestamp: HOUR + 900, end_timestamp: HOUR + 9000 }
  for (const filters of [
    {},
    window,
    { ...window, type: 2 },
    { ...window, username: 'ann' },
    { model_name: 'm' },
    { token_name: 't' },
    { request_id: 'r3' },
  ]) {
    const filter = await readFilter({ db, engine: 'sqlite' }, { ...anything, ...filters })
    const own = await readOwnFilter({ db, engine: 'sqlite' }, { ...anything, ...filters }, { id: 1 })
    for (const rows of [filter, own]) {
      for (const asking of [{}, { p: 3 }, { before_id: 30 }, { after_id: 30 }])
        await listLogs({ db, engine: 'sqlite' }, rows, page(asking), 'admin')
      await sumLogs(db, rows, HOUR)
    }
  }
  for (const owner of [undefined, { id: 1 }])
    for (const subject of ['none', 'model', 'user', 'token'] as const)
      await countUsage(db, HOUR, by({ by: subject }), owner)
  await hoursOfModels(db, { from: HOUR, to: HOUR + DAY })
  await hoursOfModels(db, { from: HOUR, to: HOUR + DAY }, { id: 1, username: 'ann' })
  const everything = await readFilter({ db, engine: 'sqlite' }, anything)
  expect((await exportLogs(db, everything, 'admin').text()).split('\r\n')).toHaveLength(1 + 60 + 1)
  // By parts, of which the first is not the last.
  expect(await clear({ ...store, db }, HOUR + 45 * 180)).toBe(45)
  expect(await clear({ ...store, db }, HOUR + 90 * 180)).toBe(15)
  await db.destroy()
  await store.close()

  const file = new Database(database.target, { readonly: true })
  const plans = asked.flatMap(({ sql: text, parameters }) => {
    const steps = file.query(`explain query plan ${text}`).all(...(parameters as number[])) as {
      detail: string
    }[]
    return steps.map(({ detail }) => `${detail} <- ${text.replace(/\s+/g, ' ').slice(0, 300)}`)
  })
  file.close()
  expect(asked.length).toBeGreaterThan(80)
  const deletions = plans.filter(step => step.includes('delete from "logs"'))
  expect(deletions.length).toBeGreaterThan(2)
  expect(deletions.filter(step => !step.startsWith('SEARCH logs USING INDEX logs_time'))).toEqual([])
  expect(plans.filter(step => /^SCAN (logs|usage_\w+)(?! USING)/.test(step))).toEqual([])
  // A page is found in the order of its index: nothing is sorted, and nothing but the index is read.
  const pages = plans.filter(step => step.includes('order by "created_at"') && step.includes('from "logs"'))
  const sorted = pages.filter(step => step.includes('TEMP B-TREE'))
  // But for the few rows that some users have within an hour.
  const ofSome = /"user_id" in \(.*\) and "created_at" >= \? and "created_at" <= \?/
  expect(sorted.filter(step => !ofSome.test(step))).toEqual([])
  const unfiltered = plans.filter(step =>
    /select "id", "created_at" from "logs" where "created_at" >= \? order by/.test(step),
  )
  expect(unfiltered.every(step => step.includes('COVERING INDEX logs_time'))).toBe(true)
  expect(unfiltered.length).toBeGreaterThan(0)
})
