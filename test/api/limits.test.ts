import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, loggedIn, rootClient } from '../client.ts'
import { freshDataDir, type Program, ROOT_PASSWORD, startProgram, until } from '../program.ts'
import { countedTogether } from '../relay/money/counted-together.ts'
import { startRedis } from '../services/databases.ts'

const password = 'good-password'
const SECRET_KEY = 'mB3x-71Lq-Vt58-cK20-nY64-hD97-sP15-gZ82'
let program: Program
let root: Client
let admin: Client
let alice: Client

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD })
  root = await rootClient(program.url)
  await root.liftLimits()
  for (const username of ['admin', 'alice']) await root.post('/api/user/', { username, password })
  const found = (await root.get('/api/user/search?keyword=admin')).json.data[0]
  await root.post('/api/user/manage', { id: found.id, action: 'promote' })
  admin = await loggedIn(program.url, 'admin', password)
  alice = await loggedIn(program.url, 'alice', password)
})
afterAll(async () => {
  await program.stop()
})

const set = { rpm: 60, tpm: 100_000, concurrency: 3 }
const unset = { rpm: 0, tpm: 0, concurrency: 0 }
const wrong: readonly unknown[] = [-1, 1.5, '60', 1_000_000_001, [], {}, true]

describe('the limits of a token', () => {
  test('are its owner’s to set', async () => {
    await alice.post('/api/token/', { name: 'plain', expired_time: -1 })
    await alice.post('/api/token/', { name: 'limited', expired_time: -1, ...set })
    const [limited, plain] = (await alice.get('/api/token/?p=0')).json.data
    expect([limited, plain]).toMatchObject([set, unset])
    const changed = await alice.put('/api/token/', { id: plain.id, name: 'plain', rpm: 5 })
    expect(changed.json.data).toMatchObject({ ...unset, rpm: 5 })
    const kept = await alice.put('/api/token/', { id: limited.id, name: 'renamed' })
    expect(kept.json.data).toMatchObject({ name: 'renamed', ...set })
    const lifted = await alice.put('/api/token/', { id: limited.id, ...unset })
    expect(lifted.json.data).toMatchObject(unset)
    const foreign = await admin.put('/api/token/', { id: limited.id, rpm: 1 })
    expect(foreign.json).toMatchObject({ success: false, message: 'record not found' })
  })

  test.each(wrong.map(value => [value]))('cannot be %p', async value => {
    for (const field of ['rpm', 'tpm', 'concurrency']) {
      const answer = await alice.post('/api/token/', { name: 'wrong', [field]: value })
      expect([field, answer.status, answer.json.success]).toEqual([field, 200, false])
    }
    expect((await alice.get('/api/token/search?keyword=wrong')).json.data).toEqual([])
  })
})

describe('the limits of a user', () => {
  test('are an administrator’s to set, and on the record', async () => {
    const id = alice.userId
    expect((await admin.get(`/api/user/${id}`)).json.data).toMatchObject(unset)
    expect((await admin.put('/api/user/', { id, username: 'alice', ...set })).json.success).toBe(true)
    expect((await admin.get(`/api/user/${id}`)).json.data).toMatchObject(set)
    expect((await admin.get('/api/user/search?keyword=alice')).json.data[0]).toMatchObject(set)
    await admin.put('/api/user/', { id, username: 'alice', display_name: 'Alice' })
    expect((await admin.get(`/api/user/${id}`)).json.data).toMatchObject(set)
    const { data } = (await root.get('/api/audit?p=0')).json
    expect(JSON.stringify(data.items ?? data)).toContain('concurrency')
    await admin.put('/api/user/', { id, username: 'alice', ...unset })
    expect((await admin.get(`/api/user/${id}`)).json.data).toMatchObject(unset)
  })

  test('are not the user’s own to set', async () => {
    const id = alice.userId
    expect((await alice.put('/api/user/', { id, username: 'alice', rpm: 9 })).json.success).toBe(false)
    await alice.put('/api/user/self', { username: 'alice', rpm: 9, tpm: 9, concurrency: 9 })
    expect((await admin.get(`/api/user/${id}`)).json.data).toMatchObject(unset)
  })

  test.each(wrong.map(value => [value]))('cannot be %p', async value => {
    for (const field of ['rpm', 'tpm', 'concurrency']) {
      const answer = await admin.put('/api/user/', { id: alice.userId, username: 'alice', [field]: value })
      expect([field, answer.status, answer.json.success]).toEqual([field, 200, false])
    }
    expect((await admin.get(`/api/user/${alice.userId}`)).json.data).toMatchObject(unset)
  })
})

describe('the limits of a channel', () => {
  const channel = { type: 1, name: 'one', key: 'k', models: 'm', group: 'default' }
  let id = 0

  test('are an administrator’s to set, and copied with it', async () => {
    id = (await admin.post('/api/channel/', { ...channel, ...set, rpm: '60' })).json.data.ids[0]
    expect((await admin.get(`/api/channel/${id}`)).json.data).toMatchObject(set)
    expect((await admin.put('/api/channel/', { id, name: 'renamed' })).json.data).toMatchObject(set)
    const copy = (await admin.post(`/api/channel/copy/${id}`, {})).json.data.id
    expect((await admin.get(`/api/channel/${copy}`)).json.data).toMatchObject(set)
    expect((await admin.put('/api/channel/', { id, ...unset })).json.data).toMatchObject(unset)
    expect((await alice.put('/api/channel/', { id, rpm: 1 })).json.success).toBe(false)
    const { data } = (await root.get('/api/audit?p=0')).json
    expect(JSON.stringify(data.items ?? data)).toContain('channel.update')
  })

  test.each([[-1], [1.5], ['x'], [1_000_000_001], [[]], [true]])('cannot be %p', async value => {
    for (const field of ['rpm', 'tpm', 'concurrency']) {
      const answer = await admin.put('/api/channel/', { id, [field]: value })
      expect([field, answer.status, answer.json.success]).toEqual([field, 200, false])
    }
    expect((await admin.get(`/api/channel/${id}`)).json.data).toMatchObject(unset)
  })
})

describe('the limits of groups', () => {
  test('are a setting that is checked', async () => {
    const good = '{"vip":{"rpm":600,"tpm":0},"default":{"concurrency":5}}'
    expect((await root.saveOption('GroupLimits', good)).json.success).toBe(true)
    const options = (await root.get('/api/option/')).json.data as { key: string; value: string }[]
    expect(JSON.parse(options.find(({ key }) => key === 'GroupLimits')?.value ?? '')).toEqual({
      vip: { rpm: 600, tpm: 0, concurrency: 0 },
      default: { rpm: 0, tpm: 0, concurrency: 5 },
    })
    for (const bad of [
      'x',
      '[]',
      '{"vip":5}',
      '{"vip":{"rpm":-1}}',
      '{"vip":{"rpm":1.5}}',
      '{"vip":{"rpm":"5"}}',
      '{"vip":{"rmp":5}}',
      '{"vip":{},"vip":{}}',
      '{"__proto__":{"rpm":1}}',
    ])
      expect([bad, (await root.saveOption('GroupLimits', bad)).json.success]).toEqual([bad, false])
    await root.saveOption('GroupLimits', '{}')
  })
})

/** How each of so many calls was answered, one after the other. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < count; at++) all.push((await call()).status)
  return all
}

describe('how often an address may call', () => {
  test('searches have a limit of their own, and 0 lifts it', async () => {
    const own = await startProgram({ ROOT_PASSWORD })
    try {
      const client = await rootClient(own.url)
      await client.saveOption('SearchRateLimit', '3')
      const search = () => client.get('/api/token/search?keyword=a')
      expect(await statuses(5, search)).toEqual([200, 200, 200, 429, 429])
      expect((await client.get('/api/user/search/?keyword=a')).status).toBe(429)
      expect((await client.get('/api/token/?p=0')).status).toBe(200)
      await client.saveOption('SearchRateLimit', '0')
      expect(await statuses(5, search)).toEqual([200, 200, 200, 200, 200])
      await client.post('/api/token/', { name: 'own', expired_time: -1, unlimited_quota: true })
      const { key } = (await client.get('/api/token/?p=0')).json.data[0]
      const billing = () =>
        fetch(`${own.url}/dashboard/billing/usage`, { headers: { authorization: `Bearer sk-${key}` } })
      expect((await billing()).status).toBe(200)
      await client.saveOption('GlobalApiRateLimit', '1')
      expect((await client.get('/api/status')).status).toBe(429)
      expect((await billing()).status).toBe(429)
    } finally {
      await own.stop()
    }
  })

  test('nodes that share a Redis share the count, and go on without it', async () => {
    const redis = await startRedis()
    const DATABASE_URL = `sqlite:${join(freshDataDir(), 'tollgate.db')}`
    const environment = { ROOT_PASSWORD, SECRET_KEY, DATABASE_URL, REDIS_URL: redis.url }
    const first = await startProgram(environment)
    const second = await startProgram(environment)
    try {
      const client = await rootClient(first.url)
      await client.saveOption('CriticalRateLimit', '7')
      await client.saveOption('GlobalApiRateLimit', '30')
      await until(async () => (await options(client, second.url)) === '30')
      const both = [first, second]
      const status = (url: string) => fetch(`${url}/api/status`)
      let name = 'nobody'
      const login = (url: string) => new Client(url).login(name, 'nothing-at-all')
      await countedTogether(
        () => both,
        async () => {
          await runRedis(redis.url, 'FLUSHALL')
          name += '-again'
          const all = await Promise.all(
            Array.from({ length: 30 }, () => both.map(({ url }) => status(url))).flat(),
          )
          const passed = all.filter(answer => answer.status === 200).length
          expect(passed).toBe(30)
          expect([(await status(first.url)).status, (await status(second.url)).status]).toEqual([429, 429])
          const logins = []
          for (const { url } of Array.from({ length: 5 }, () => both).flat())
            logins.push((await login(url)).status)
          expect(logins).toEqual([200, 200, 200, 200, 200, 200, 200, 429, 429, 429])
        },
      )

      await redis.stop('crash')
      // Each process now counts by itself, from none; what is sensitive is counted in the database.
      expect((await status(first.url)).status).toBe(200)
      expect((await status(second.url)).status).toBe(200)
      expect((await login(first.url)).status).toBe(200)
    } finally {
      await first.stop()
      await second.stop()
      await redis.close()
    }
  })
})

async function runRedis(url: string, command: string): Promise<void> {
  const client = new Bun.RedisClient(url)
  await client.send(command, [])
  client.close()
}

async function options(client: Client, url: string): Promise<string | undefined> {
  const there = new Client(url)
  Object.assign(there, { cookie: client.cookie, userId: client.userId })
  const { json } = await there.get('/api/option/')
  return json.data?.find((option: { key: string }) => option.key === 'GlobalApiRateLimit')?.value
}
