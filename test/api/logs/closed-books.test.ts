import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insert, type LogHouse, openLogHouse } from './log-house.ts'

/** The first of May 2024. */
const CLOSED_BEFORE = Date.UTC(2024, 4) / 1000

let house: LogHouse
beforeAll(async () => {
  house = await openLogHouse()
  insert(house.database, 'system', { key: 'books-closed-before', value: String(CLOSED_BEFORE) })
})
afterAll(() => house.stop())

const idAt = (seconds: number): string => Bun.randomUUIDv7('hex', seconds * 1000)

test('a call of a closed month says so, with what the log still has of it', async () => {
  const { alice, bob, admin, addLog } = house
  const closed = idAt(CLOSED_BEFORE - 86_400)
  const open = idAt(CLOSED_BEFORE + 86_400)
  const row = { user_id: alice.userId ?? 0, username: 'alice', type: 2, quota: 24 }
  addLog({ ...row, request_id: closed, created_at: CLOSED_BEFORE - 86_390 })
  addLog({ ...row, request_id: open, created_at: CLOSED_BEFORE + 86_410 })
  for (const client of [alice, admin])
    expect((await client.get(`/api/log/trail/${closed}`)).json.data).toMatchObject({
      ...{ request_id: closed, state: 'closed', user_id: alice.userId, charged: 24, entries: [], price: {} },
      logs: [{ quota: 24 }],
    })
  // Nobody learns from it what others have called.
  const others = (await bob.get(`/api/log/trail/${closed}`)).json
  expect(others.message).toContain('已结账')
  expect((await bob.get(`/api/log/trail/${idAt(CLOSED_BEFORE - 5)}`)).json).toEqual(others)
  // Of a month that is open, the books have nothing because there never was anything.
  expect((await alice.get(`/api/log/trail/${open}`)).json.message).toBe('record not found')
})

test('the super administrator sees which months are closed', async () => {
  const { database, root, admin } = house
  expect((await root.get('/api/ledger/months')).json.data).toEqual([])
  const months = ['2024-03', '2024-04'].map((month, at) => ({
    ...{
      month,
      ends_at: at,
      state: 'closed',
      started_at: 1,
      closed_at: 2,
      portions: 1,
      calls: 3 + at,
      entries: 3,
    },
    ...{ user_amount: -9, token_amount: 0, digest: 'd', previous_hash: '', hash: 'h' },
    files: JSON.stringify([{ name: `${month}.ndjson.gz`, calls: 3, sha256: 's' }]),
  }))
  for (const month of months) insert(database, 'closed_months', month)
  expect((await root.get('/api/ledger/months')).json.data).toMatchObject([
    { month: '2024-04', calls: 4, files: [{ name: '2024-04.ndjson.gz', calls: 3, sha256: 's' }] },
    { month: '2024-03', calls: 3, user_amount: -9 },
  ])
  expect((await admin.get('/api/ledger/months')).json.success).toBe(false)
})
