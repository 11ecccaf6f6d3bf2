import { afterAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { isSomebodyWaiting } from '../../../test/services/is-somebody-waiting.ts'
import { recordAudit } from '../audit-record.ts'
import { importConfig } from './litellm/index.ts'
import { ImportReport } from './report.ts'

afterAll(dropAll)

test.each(engines.filter(({ name }) => name !== 'sqlite'))(
  'on $name: an import and whoever manages something meanwhile wait for one another, never both at once',
  async engine => {
    const store = await openSampleStore(await engine.freshUrl())
    const now = (): number => 1_700_000_000
    const report = new ImportReport(() => {})
    const config = { text: 'model_list: []', promptFiles: () => undefined }
    // Not `store.transaction`: who loses a deadlock does not begin again, and is seen.
    const { importing } = await store.db.transaction().execute(async managing => {
      const doer = { caller: { id: 1, username: 'root' }, address: '' }
      await recordAudit({ store, now }, doer, { action: 'channel.delete', subject: 'channels' }, managing)
      const importing = importConfig({ store, now, variable: () => undefined }, config, report)
      await until(() => isSomebodyWaiting(store))
      await store.bus.mark(managing, 'channels')
      return { importing }
    })
    await importing
    const records = await store.db.selectFrom('audit_records').select('action').orderBy('id').execute()
    expect(records.map(({ action }) => action)).toEqual(['channel.delete', 'import'])
    await store.close()
  },
)
