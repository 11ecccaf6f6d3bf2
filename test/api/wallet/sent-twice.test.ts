import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type OpenProgram, openProgram } from '../../open-program.ts'

// A script that has heard no answer sends its request again. Under a name of its own it is answered as the first time,
// and nothing is given twice.

let open: OpenProgram
let id = 0

beforeAll(async () => {
  open = await openProgram()
  const body = { username: 'ann', password: 'password-1', display_name: 'ann' }
  expect((await open.root.post('/api/user', body)).json).toMatchObject({ success: true })
  id = (open.database.query("select id from users where username = 'ann'").get() as { id: number }).id
})
afterAll(async () => {
  await open.close()
})

const count = (sql: string): number => Number(Object.values(open.database.query(sql).get() as object)[0])
const send = (method: string, path: string, body: object, name: string) =>
  open.root.send(method, path, { body, headers: { 'Idempotency-Key': name } })

test('quota is added once', async () => {
  const quota = (): number => count(`select quota from users where id = ${id}`)
  const before = quota()
  for (let turn = 0; turn < 3; turn++) {
    const { status, json } = await send('PUT', '/api/user', { id, quota_change: 700 }, 'raise-1')
    expect([status, json?.success]).toEqual([200, true])
  }
  expect(quota()).toBe(before + 700)
  const otherwise = await send('PUT', '/api/user', { id, quota_change: 800 }, 'raise-1')
  expect([otherwise.status, otherwise.json?.success]).toEqual([409, false])
  await send('PUT', '/api/user', { id, quota_change: 800 }, 'raise-2')
  expect(quota()).toBe(before + 1500)
})

test('codes are made once, and told again', async () => {
  const body = { name: 'spring', quota: 500, count: 4 }
  const first = await send('POST', '/api/redemption', body, 'spring')
  const again = await send('POST', '/api/redemption', body, 'spring')
  expect(first.json?.data).toHaveLength(4)
  expect(again.json?.data).toEqual(first.json?.data)
  expect(count('select count(*) from redemptions')).toBe(4)
})

test('a plan is given once', async () => {
  const plan = {
    title: 'Pro',
    price: 1000,
    duration: 30,
    duration_unit: 'day',
    quota: 500,
    period: 'day',
    group: '',
  }
  const made = await open.root.post('/api/subscription/admin/plans', plan)
  expect(made.json).toMatchObject({ success: true })
  const body = { user_id: id, plan_id: made.json?.data.id }
  const first = await send('POST', '/api/subscription/admin/bind', body, 'pro')
  const again = await send('POST', '/api/subscription/admin/bind', body, 'pro')
  expect(first.json).toMatchObject({ success: true, data: { title: 'Pro' } })
  expect(again.json).toEqual(first.json)
  const more = await send('POST', '/api/subscription/admin/bind', body, 'pro again')
  expect(more.json?.data.ends_at).toBeGreaterThan(first.json?.data.ends_at)
})

test('the description of the API tells of it where it is so, and nowhere else', async () => {
  const { json } = await open.root.get('/api/openapi.json')
  const named = Object.entries(
    json?.paths as Record<string, Record<string, { parameters?: { name: string }[] }>>,
  )
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, call]) => ({ path, method, call })))
    .filter(({ call }) => call.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .map(({ path, method }) => `${method} ${path}`)
  expect(named.sort()).toEqual(['post /api/redemption', 'post /api/subscription/admin/bind', 'put /api/user'])
})
