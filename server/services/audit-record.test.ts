import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sampleApps } from '../../test/sample-apps.ts'
import { engines } from '../../test/services/databases.ts'
import { verifyRecords } from './audit-log.ts'
import { recordAudit } from './audit-record.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()

describe.each(engines.map(engine => [engine.name, engine] as const))('the record on %s', (_name, engine) => {
  test.each([
    ['one that is cut for its length', `tag:${'t'.repeat(123)}😀`],
    ['one that was sent so', 'tag:half of a character: \ud83d'],
  ])('holds with half a character at the end of a name: %s', async (_how, name) => {
    const app = await openApp(await engine.freshUrl())
    const doer = { caller: { id: 1, username: name.slice(-100) }, address: '203.0.113.5' }
    const values = { tag: name }
    await recordAudit(app, doer, {
      action: 'channel.switch-tag',
      subject: name,
      before: values,
      after: values,
    })
    await recordAudit(app, doer, { action: 'channel.switch-tag', subject: 'tag:more' })
    expect(await verifyRecords(app)).toEqual({ intact: true, records: 2, broken_at: null })
  })
})
