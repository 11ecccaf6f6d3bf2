import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { markChanged } from '../../ledger/changed-days.ts'
import type { Store } from '../../store/index.ts'
import { LogImport } from './import-logs.ts'
import { ImportReport } from './report.ts'

const DAY = 86_400
const FIRST = 1_700_006_400

afterAll(dropAll)

/** Whether somebody in this database waits for what another has locked. */
async function isWaiting({ db, engine }: Store): Promise<boolean> {
  const waiting =
    engine === 'postgres'
      ? sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      : sql`select 1 from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
          where trx_state = 'LOCK WAIT' and db = database()`
  return (await waiting.execute(db)).rows.length > 0
}

test.each(engines.filter(({ name }) => name !== 'sqlite'))(
  'on $name: days that are taken over wait for those of calls that are settled late, never both for each other',
  async engine => {
    const store = await openSampleStore(await engine.freshUrl())
    await store.db
      .transaction()
      .execute(async late => {
        await markChanged(late, store.engine, FIRST)
        const importing = store.db.transaction().execute(async transaction => {
          const report = new ImportReport(() => {})
          const known = { users: new Set<number>(), taken: new Map(), rootPassword: undefined }
          const run = { store, transaction, report, now: FIRST + 9 * DAY, ...known }
          const logs = new LogImport(run, 'new-api')
          const rows = [FIRST + DAY, FIRST].map((created_at, id) => ({ id, created_at, type: 2 }))
          await logs.take(rows)
          await logs.sumUp()
        })
        await until(() => isWaiting(store))
        await markChanged(late, store.engine, FIRST + DAY)
        return { importing }
      })
      .then(({ importing }) => importing)
    const days = await store.db.selectFrom('changed_days').selectAll().orderBy('day').execute()
    expect(days.map(({ day, changes }) => [Number(day), Number(changes)])).toEqual([
      [FIRST, 2],
      [FIRST + DAY, 2],
    ])
    await store.close()
  },
)
