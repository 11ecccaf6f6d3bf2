import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sampleApps } from '../../test/sample-apps.ts'
import { engines } from '../../test/services/databases.ts'
import { auditLogHandlers, verifyRecords } from './audit-log.ts'
import { recordAudit } from './audit-record.ts'
import type { Caller } from './call.ts'

setDefaultTimeout(600_000)
const { openApp } = sampleApps()
const MANY = 12_000
const record = {
  ...{ created_at: 1, user_id: 1, username: 'root', address: '', action: 'login', subject: 'user:1' },
  ...{ before: '', after: '', previous_hash: '', hash: '' },
}
const caller: Caller = { id: 1, username: 'root', role: 100, status: 1, group: 'default', via: 'session' }
const session = { token: undefined, set: () => {}, clear: () => {} }
const call = {
  ...{ caller, session, browser: session, language: 'zh' as const, address: '203.0.113.5', userAgent: '' },
  ...{ authorization: null, signature: null, params: {}, body: undefined },
}

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

  test('is paged to its end without anybody counting it', async () => {
    const app = await openApp(await engine.freshUrl())
    const { db } = app.store
    for (let first = 1; first <= MANY; first += 500)
      await db
        .insertInto('audit_records')
        .values(Array.from({ length: 500 }, (_, at) => ({ ...record, id: first + at })))
        .execute()
    await db
      .updateTable('system')
      .set({ value: `${MANY}:` })
      .where('key', '=', 'audit-head')
      .execute()

    const counts: string[] = []
    const watched = db.withPlugin({
      transformQuery({ node }) {
        const text = JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        if (text.includes('"func":"count"')) counts.push(text)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { auditRecords } = auditLogHandlers({ ...app, store: { ...app.store, db: watched } })
    for (const p of [1, 60, 61, 119, 120, 121]) {
      const query = { p, page_size: 100, action: '', subject: '', user: '' }
      const { items, total } = await auditRecords({ ...call, query })
      const last = MANY - (p - 1) * 100
      const ids = Array.from({ length: Math.min(100, last) }, (_, at) => last - at)
      expect([p, total, items.map(({ id }) => id)]).toEqual([p, MANY, ids])
    }
    expect(counts).toEqual([])
  })
})
