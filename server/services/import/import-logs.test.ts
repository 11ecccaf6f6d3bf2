import { afterAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../../test/services/is-somebody-waiting.ts'
import { markChanged } from '../../ledger/changed-days.ts'
import { LogImport } from './import-logs.ts'
import { ImportReport } from './report.ts'

const DAY = 86_400
const FIRST = 1_700_006_400

afterAll(dropAll)

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
        await until(() => isSomebodyWaiting(store))
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
