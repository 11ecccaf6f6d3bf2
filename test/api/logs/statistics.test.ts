import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insert, type LogHouse, openLogHouse } from './log-house.ts'

let house: LogHouse
const HOUR = 1_700_002_800
const MONTH = 30 * 86_400

beforeAll(async () => {
  house = await openLogHouse()
  const { database, alice, bob } = house
  const add = (
    userId: number | undefined,
    model_name: string,
    hour: number,
    over: Record<string, number> = {},
  ) =>
    insert(database, 'usage_hourly', {
      hour,
      user_id: userId ?? 0,
      token_id: 0,
      channel_id: 3,
      model_name,
      group: 'default',
      requests: 3,
      errors: 1,
      quota: 40,
      prompt_tokens: 100,
      completion_tokens: 10,
      ...over,
    })
  add(alice.userId, 'm1', HOUR)
  add(bob.userId, 'm1', HOUR)
  add(alice.userId, 'm2', HOUR + 3600, { quota: 5 })
  // Nothing was answered here.
  add(alice.userId, 'm3', HOUR, { requests: 2, errors: 2, quota: 0 })
})
afterAll(() => house.stop())

const window = `start_timestamp=${HOUR}&end_timestamp=${HOUR + 7200}`

test('the dashboard of all users, of one, and one’s own', async () => {
  const { admin, alice } = house
  const row = { id: 0, user_id: 0, username: '', token_used: 110, count: 2, quota: 40 }
  const all = await admin.get(`/api/data/?${window}&default_time=hour`)
  expect(all.json).toEqual({
    success: true,
    message: '',
    data: [
      { ...row, model_name: 'm1', created_at: HOUR, token_used: 220, count: 4, quota: 80 },
      { ...row, model_name: 'm2', created_at: HOUR + 3600, quota: 5 },
    ],
  })
  const alices = [
    { ...row, user_id: alice.userId, username: 'alice', model_name: 'm1', created_at: HOUR },
    { ...row, user_id: alice.userId, username: 'alice', model_name: 'm2', created_at: HOUR + 3600, quota: 5 },
  ]
  expect((await admin.get(`/api/data?${window}&username=alice`)).json.data).toEqual(alices)
  expect((await alice.get(`/api/data/self/?${window}&username=bob`)).json.data).toEqual(alices)
  expect((await admin.get(`/api/data?${window}&username=nobody`)).json.data).toEqual([])
  expect((await alice.get('/api/data/self')).json.data).toEqual([])
  // From the beginning of time to its end.
  const ever = await admin.get(`/api/data?start_timestamp=1&end_timestamp=${Number.MAX_SAFE_INTEGER}`)
  expect(ever.json.data).toEqual(all.json.data)
})

test('one’s own is a month at most, with the hour that a console adds', async () => {
  const ask = async (seconds: number) =>
    (await house.alice.get(`/api/data/self?start_timestamp=${HOUR}&end_timestamp=${HOUR + seconds}`)).json
  expect((await ask(MONTH + 3600)).data).toHaveLength(2)
  expect(await ask(2 * MONTH)).toEqual({ success: false, message: '时间跨度不能超过 1 个月', data: null })
})

test('statistics by subject, for administrators and owners', async () => {
  const { admin, alice } = house
  const ask = async (by: string, client = admin, path = '/api/statistics') =>
    (await client.get(`${path}?by=${by}&unit=week&from=${HOUR}&to=${HOUR + 7200}`)).json
  const users = (await ask('user')).data.rows as { name: string; requests: number; errors: number }[]
  expect(users.map(({ name, requests, errors }) => [name, requests, errors])).toEqual([
    ['alice', 8, 4],
    ['bob', 3, 1],
  ])
  expect((await ask('none')).data).toMatchObject({
    rows: [{ key: '', requests: 11, errors: 5, quota: 85, latency_p50: null, first_token_p95: null }],
    truncated: false,
  })
  const own = (await ask('model', alice, '/api/statistics/self')).data.rows as {
    key: string
    quota: number
  }[]
  expect(own.map(({ key, quota }) => [key, quota])).toEqual([
    ['m1', 40],
    ['m2', 5],
    ['m3', 0],
  ])
  expect((await ask('channel', alice, '/api/statistics/self')).message).toBe('无权进行此操作，权限不足')
})

test('a whole window is one row for each subject, cut to the hour', async () => {
  const ask = async (from: number, to: number) => {
    const { json } = await house.admin.get(`/api/statistics?by=model&unit=all&from=${from}&to=${to}`)
    return json.data.rows.map((row: Record<string, unknown>) => [row.time, row.key, row.requests, row.quota])
  }
  const before = HOUR - 9 * 86_400
  expect(await ask(before, HOUR + 7200)).toEqual([
    [before, 'm1', 6, 80],
    [before, 'm2', 3, 5],
    [before, 'm3', 2, 0],
  ])
  expect(await ask(HOUR + 4000, HOUR + 7200)).toEqual([[HOUR + 3600, 'm2', 3, 5]])
})

test.each([
  'by=planet',
  'unit=second',
  'from=x',
  `unit=hour&from=${HOUR}&to=${HOUR + 40 * 86_400}`,
  'from=1&to=2000000000',
])('%s is refused in words', async query => {
  const answer = await house.admin.get(`/api/statistics?${query}`)
  expect([answer.status, answer.json.success, answer.json.message.length > 5]).toEqual([200, false, true])
})

test('who is renamed has the new name at once, also in sums that are kept', async () => {
  const { root, bob } = house
  const names = async (): Promise<string[]> => {
    const { json } = await root.get(
      `/api/statistics?by=user&unit=day&offset=480&from=${HOUR}&to=${HOUR + 7200}`,
    )
    return json.data.rows.map(({ name }: { name: string }) => name)
  }
  expect([await names(), await names()]).toEqual([
    ['alice', 'bob'],
    ['alice', 'bob'],
  ])
  const renamed = await root.put('/api/user/', { id: bob.userId, username: 'robert' })
  expect(renamed.json).toMatchObject({ success: true })
  expect(await names()).toEqual(['alice', 'robert'])
})
