import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import { audit } from '../../ledger/audit.ts'
import { createAccount } from '../accounts/create-account.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { checkInHandlers } from './check-in.ts'

setDefaultTimeout(600_000)
const { clock, openApp } = sampleApps()

async function setOption({ store }: App, key: string, value: string): Promise<void> {
  await store.change('options', async transaction => {
    await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
  })
}

async function addUser(app: App, username: string): Promise<Caller> {
  const id = await app.store.change('users', transaction =>
    createAccount(app, transaction, { username, passwordHash: 'x' }),
  )
  return { id, username, role: 1, status: 1, group: 'default', via: 'session' }
}

type Handlers = ReturnType<typeof checkInHandlers>
const session = { token: undefined, set: () => {}, clear: () => {} }
const from = { params: {}, language: 'zh', address: '203.0.113.5', userAgent: '', session } as const
const rest = { ...from, browser: session, authorization: null, signature: null }
const giveTo = async (handlers: Handlers, caller: Caller) =>
  handlers.checkIn({ ...rest, caller, query: {}, body: undefined })
const tell = async (handlers: Handlers, caller: Caller, month = '') =>
  (await handlers.checkIns({ ...rest, caller, query: { month }, body: undefined })).stats

const at = (...[year, month, day, hour, minute]: [number, number, number, number, number]): number =>
  new Date(year, month - 1, day, hour, minute).getTime() / 1000

describe.each(engines.map(engine => [engine.name, engine] as const))('check-ins on %s', (_name, engine) => {
  test('there is one a day for each, however many ask at once at two nodes', async () => {
    clock.now = at(2027, 1, 31, 23, 59)
    const url = await engine.freshUrl()
    const nodes = [await openApp(url), await openApp(url)] as const
    for (const [key, value] of [
      ['CheckinEnabled', 'true'],
      ['CheckinMinQuota', '5'],
      ['CheckinMaxQuota', '9'],
    ] as const)
      await setOption(nodes[0], key, value)
    for (const { settings } of nodes) await settings.refresh()
    const handlers = nodes.map(checkInHandlers) as [Handlers, Handlers]
    const [ann, bob] = [await addUser(nodes[0], 'ann'), await addUser(nodes[0], 'bob')]
    const race = async () => {
      const tries = Array.from({ length: 12 }, (_, turn) =>
        [ann, bob].map(caller => giveTo(handlers[turn % 2 === 0 ? 0 : 1], caller)),
      )
      const ended = await Promise.allSettled(tries.flat())
      const refusals = ended.flatMap(one => (one.status === 'rejected' ? String(one.reason.code) : []))
      expect(new Set(refusals)).toEqual(new Set(['checkin.done']))
      return ended.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
    }
    const first = await race()
    expect(first.map(({ checkin_date }) => checkin_date)).toEqual(['2027-01-31', '2027-01-31'])
    for (const { quota_awarded } of first) expect([5, 6, 7, 8, 9]).toContain(quota_awarded)

    // A minute later it is another day, of another month.
    clock.now += 60
    expect((await tell(handlers[1], ann)).checked_in_today).toBe(false)
    expect(await race()).toHaveLength(2)

    const february = await tell(handlers[0], ann)
    expect(february).toMatchObject({ checked_in_today: true, checkin_count: 1, total_checkins: 2 })
    const january = await tell(handlers[0], ann, '2027-01')
    expect(january).toMatchObject({ checked_in_today: true, checkin_count: 1, total_checkins: 2 })
    expect([...january.records, ...february.records].map(({ checkin_date }) => checkin_date)).toEqual([
      '2027-01-31',
      '2027-02-01',
    ])
    const sum = [...january.records, ...february.records].reduce((all, one) => all + one.quota_awarded, 0)
    expect(january.total_quota).toBe(sum)
    expect(await tell(handlers[0], ann, '2026-12')).toMatchObject({ checkin_count: 0, records: [] })

    const { db } = nodes[0].store
    const rows = await db.selectFrom('users').select(['id', 'quota']).where('id', '=', ann.id).execute()
    expect(rows).toEqual([{ id: ann.id, quota: sum }])
    const logs = await db.selectFrom('logs').select(['user_id', 'type', 'quota']).execute()
    expect(logs).toHaveLength(4)
    expect(logs.filter(row => row.user_id === ann.id && row.type === 4)).toHaveLength(2)
    expect((await audit(db)).differences).toEqual([])
  })
})
