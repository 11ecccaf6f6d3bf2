import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { Client, rootClient } from '../client.ts'
import { ROOT_PASSWORD, spawnProgram, until } from '../program.ts'
import { openRig, type Rig, type SeededToken } from '../relay/rig.ts'
import { ask, chat } from '../relay/ways.ts'
import { dropAll, redisUrl } from '../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { TokenClient } from './rig-client.ts'

/** A numbered database of its own: it is emptied here while others may be counting in theirs. */
const ownRedis = async () => `${await redisUrl()}/7`

const table: Endpoint[] = Object.values(endpoints)
const WILDCARDS = ['%25'.repeat(600), '_'.repeat(500), '%25_%5C%25', '_']
const HTML = '<img src=x onerror=alert(1)>'

let rig: Rig
let openai: FakeUpstream
let root: Client
let admin: TokenClient
let alice: TokenClient
let bob: TokenClient
let token: SeededToken
let channelId = 0

beforeAll(async () => {
  openai = await startOpenai()
  rig = await openRig(
    async books => {
      for (const key of ['GlobalApiRateLimit', 'CriticalRateLimit']) await books.setOption(key, '0')
      await books.setOption('ModelFiguresEnabled', 'true')
      channelId = await books.addChannel({
        type: 1,
        baseUrl: openai.url,
        key: openai.key,
        models: ['gpt-4o'],
      })
    },
    { REDIS_URL: await ownRedis() },
  )
  root = await rootClient(rig.url)
  admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
  alice = await TokenClient.of(rig, await rig.addUser())
  bob = await TokenClient.of(rig, await rig.addUser())
  token = await rig.addToken({ userId: alice.id })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
  await dropAll()
})

const rowOf = (id: number) =>
  rig.store.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('SQL in the place of a model key is a bad key like any other', async () => {
  for (const evil of ["' OR '1'='1'--", 'x"; DROP TABLE tokens;--', "' UNION SELECT 1,2,3#", '%', '_']) {
    const usage = (key: string) => new Client(rig.url).get('/api/usage/token', { authorization: key })
    expect((await usage(`Bearer sk-${evil}`)).text).toBe((await usage('Bearer sk-nobody')).text)
    const logs = (key: string) => new Client(rig.url).get(`/api/log/token?key=${encodeURIComponent(key)}`)
    expect((await logs(`sk-${evil}`)).text).toBe((await logs('sk-nobody')).text)
    const self = (key: string) => new Client(rig.url).get('/api/user/self', { authorization: key })
    expect((await self(evil)).text).toBe((await self('nobodys-access-token')).text)
  }
})

test('nobody sets what is not theirs to set, whatever they send along', async () => {
  const before = await rowOf(bob.id)
  const greed = {
    ...{
      id: 1,
      role: 100,
      status: 1,
      quota: 9e9,
      used_quota: 0,
      group: 'vip',
      aff_quota: 9e9,
      inviter_id: 1,
    },
    ...{
      user_role: 'root',
      email: 'root@example.com',
      access_token: 'chosen',
      DeletedAt: null,
      is_admin: true,
    },
  }
  expect((await bob.put('/api/user/self', { ...greed, display_name: 'Bob' })).json.success).toBe(true)
  expect(await rowOf(bob.id)).toEqual({ ...before, display_name: 'Bob' })

  const given = { name: 'greedy', unlimited_quota: true, user_id: alice.id, used_quota: -5, key: 'chosen' }
  await bob.post('/api/token/', { ...given, id: token.id, allowed_routes: ['*'], status: 4 })
  const rows = await rig.store.db.selectFrom('tokens').selectAll().where('name', '=', 'greedy').execute()
  expect(rows).toMatchObject([{ user_id: bob.id, used_quota: 0, status: 1 }])
  expect(rows[0]?.id).not.toBe(token.id)
  for (const group of ['nobodys', '__proto__', 'constructor'])
    expect((await bob.post('/api/token/', { ...given, group })).json.success).toBe(false)
  expect((await admin.put('/api/user/', { id: alice.id, role: 100 })).json.success).toBe(false)
  expect((await admin.put('/api/user/', { id: 1, quota: 5 })).json.success).toBe(false)
})

test('nothing that can be read holds a secret', async () => {
  await root.saveOption('SMTPToken', 'the-mail-servers-password')
  const accessToken = (await root.get('/api/user/token')).json.data
  const stored = await rig.store.db.selectFrom('users').select('password_hash').where('id', '=', 1).execute()
  const secrets = [
    openai.key,
    accessToken,
    stored[0]?.password_hash,
    root.cookie,
    'the-mail-servers-password',
  ]
  const ids: Record<string, number> = { token: token.id, channel: channelId, user: alice.id }
  const named = /"\w*(password|secret|access_token|_hash|_sealed)":("[^"]+"|\d|\{|\[)/
  for (const reader of [admin, root])
    for (const endpoint of table) {
      const { method, changes, path } = endpoint
      if (method !== 'GET' || changes || path.endsWith('/tail') || path === '/api/openapi.json') continue
      const id = String(ids[path.split('/')[2] ?? ''] ?? 1)
      const { text } = await reader.get(`${path.replace(/:\w+/, id)}?page_size=100&p=1`)
      for (const secret of secrets) expect([path, text.includes(secret ?? '?')]).toEqual([path, false])
      // The hash that binds one record of changes to the next is there to be compared.
      if (path !== '/api/audit') expect([path, named.exec(text)?.[0]]).toEqual([path, undefined])
    }
})

test('no address has a NUL in it', async () => {
  for (const path of ['/api/log/trail/a%00b', '/api/token/%00', '/api/token/search?keyword=%00']) {
    const { status, json } = await alice.get(path)
    expect([path, status, json]).toEqual([path, 400, { success: false, message: '无效的参数', data: null }])
  }
})

test('a stored hash is not a password', async () => {
  const hash = await hashPassword('users-pass-1')
  const fields = { username: 'hashed', password_hash: hash }
  await rig.store.db.updateTable('users').set(fields).where('id', '=', bob.id).execute()
  for (const guess of [hash, hash.slice(0, 20), ''])
    expect((await new Client(rig.url).login('hashed', guess)).json.success).toBe(false)
  expect((await new Client(rig.url).login('hashed', 'users-pass-1')).json.success).toBe(true)
})

test('who says to have proven again who they are has not, and the key stays shut', async () => {
  for (const body of [
    { method: 'passkey' },
    { method: 'passkey', verified: true },
    { method: '2fa', code: '' },
  ])
    expect((await root.post('/api/verify', body)).status).toBe(403)
  expect((await root.post(`/api/channel/${channelId}/key`, {})).status).toBe(403)
  expect((await root.post(`/api/channel/${channelId}/key`, { password: 'guess' })).status).toBe(403)
})

test('a weak secret is no secret: the program does not start', async () => {
  for (const secret of ['short', 'a'.repeat(64), `random_string-${'q8Zx'.repeat(10)}`]) {
    const program = spawnProgram({ SECRET_KEY: secret, ROOT_PASSWORD })
    expect(await program.exited).not.toBe(0)
    expect(program.output()).toContain('SECRET_KEY must be')
  }
})

test('a token that is switched off stays off when the cache is emptied', async () => {
  const { id, key } = await rig.addToken({ userId: alice.id })
  const models = async () =>
    (await fetch(`${rig.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
  await until(async () => (await models()) === 200)
  const put = await alice.put('/api/token/?status_only=true', { id, status: 2 })
  expect(put.json.success).toBe(true)
  expect(await models()).toBe(401)
  const redis = new Bun.RedisClient(await ownRedis())
  await redis.send('FLUSHDB', [])
  redis.close()
  for (let at = 0; at < 20; at++) expect(await models()).toBe(401)
})

test('wildcards are text wherever something is looked for, and no page is longer than 100', async () => {
  const words = /^(keyword|username|token_name|model_name|mj_id|task_id|token|model)$/
  let asked = 0
  for (const { method, path, query } of table) {
    if (method !== 'GET' || path.includes('export')) continue
    const { shape = {} } = query._zod.def as unknown as { shape?: Record<string, unknown> }
    for (const name of Object.keys(shape).filter(field => words.test(field)))
      for (const text of WILDCARDS) {
        if (path.includes(':')) continue
        const { status, json } = await root.get(`${path}?${name}=${text}&p=1&page_size=100000`)
        asked++
        const rows = Array.isArray(json.data) ? json.data : (json.data?.items ?? [])
        expect([path, name, status, rows]).toEqual([path, name, 200, []])
        expect(json.data?.page_size ?? 100).toBeLessThanOrEqual(100)
      }
  }
  expect(asked).toBeGreaterThan(40)
})

test('HTML in a name is told as JSON, which no browser takes for a page', async () => {
  await alice.post('/api/token/', { name: HTML })
  await admin.post('/api/redemption/', { name: HTML.slice(0, 20), quota: 1 })
  await alice.put('/api/user/self', { display_name: HTML.slice(0, 20) })
  for (const path of [
    '/api/token/?p=0',
    '/api/redemption/?p=0',
    '/api/user/?p=0',
    '/api/user/search?keyword=img',
  ]) {
    const { text, headers } = await (path.includes('/token') ? alice : admin).get(path)
    expect(text).toContain('<img')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const echoed = await new Client(rig.url).get(`/api/${encodeURIComponent(HTML)}`)
  expect([echoed.status, echoed.headers.get('content-type')]).toEqual([
    404,
    'application/json; charset=utf-8',
  ])
})

test('earnings move by whole amounts that are there, and by nothing else', async () => {
  const userId = await rig.addUser({ quota: 0 })
  const client = await TokenClient.of(rig, userId)
  await rig.store.db.updateTable('users').set({ aff_quota: 600_000 }).where('id', '=', userId).execute()
  const amounts = ['-1', '0', '0.5', '499999', '600001', '9007199254740992', '18446744073686646784', '1e400']
  for (const amount of [...amounts, '-1e308', '"500000"', 'null', '[500000]', 'true', '{}']) {
    const answer = await client.sendText('POST', '/api/user/aff_transfer', `{"quota":${amount}}`)
    expect([amount, answer.success]).toEqual([amount, false])
  }
  expect(await rowOf(userId)).toMatchObject({ quota: 0, aff_quota: 600_000 })
  const several = await Promise.all(
    Array.from({ length: 10 }, () => client.post('/api/user/aff_transfer', { quota: 500_000 })),
  )
  expect(several.filter(({ json }) => json.success)).toHaveLength(1)
  expect(await rowOf(userId)).toMatchObject({ quota: 500_000, aff_quota: 100_000 })
})

test('saving one’s account and token during 300 calls loses no charge and brings none back', async () => {
  const userId = await rig.addUser()
  const client = await TokenClient.of(rig, userId)
  const { id, key } = await rig.addToken({ userId, budget: 40_000_000 })
  const balance = await rig.balance(userId)
  let finished = 0
  const requests: string[] = []
  const calls = Array.from({ length: 10 }, async () => {
    for (let at = 0; at < 30; at++) {
      const response = await ask(rig.url, chat, { key, text: randomBytes(8).toString('hex') })
      expect(response.status).toBe(200)
      await response.text()
      requests.push(response.headers.get('x-oneapi-request-id') ?? '')
      finished++
    }
  })
  const save = async (): Promise<void> => {
    for (let at = 0; finished < 300; at++) {
      expect((await client.put('/api/user/self', { display_name: `n${at}` })).json.success).toBe(true)
      expect((await client.put('/api/token/', { id, name: `n${at}` })).json.success).toBe(true)
      expect((await admin.put('/api/user/', { id: userId, display_name: `m${at}` })).json.success).toBe(true)
    }
  }
  await Promise.all([...calls, save()])
  expect(await rig.differences()).toEqual([])
  const charges = await Promise.all(requests.map(request => rig.chargeOf(request)))
  const sum = charges.reduce<number>((total, charge) => total + (charge ?? 0), 0)
  expect(charges.every(charge => (charge ?? 0) > 0)).toBe(true)
  expect(await rig.balance(userId)).toBe(balance - sum)
})

test('however many users follow their own log, an administrator finds a place at theirs', async () => {
  const leaving = new AbortController()
  const { signal } = leaving
  // An answer that nobody holds on to is left, and its place is free again.
  const answers: Response[] = []
  const follow = async (path: string, authorization: string) => {
    const answer = await fetch(`${rig.url}${path}?after_id=0`, { headers: { authorization }, signal })
    answers.push(answer)
    return answer.status
  }
  const tokenOf = async (id: number) => {
    const token = randomBytes(24).toString('base64url')
    const access_token_hash = rig.store.cipher.hash('access-token', token)
    await rig.store.db.updateTable('users').set({ access_token_hash }).where('id', '=', id).execute()
    return token
  }
  try {
    while (!answers.some(({ status }) => status === 429)) {
      const owner = await tokenOf(await rig.addUser({ quota: 0 }))
      await Promise.all(Array.from({ length: 6 }, () => follow('/api/log/self/tail', owner)))
      expect(answers.length).toBeLessThan(300)
    }
    const chief = await tokenOf(await rig.addUser({ role: 10 }))
    expect(await follow('/api/log/tail', chief)).toBe(200)
  } finally {
    leaving.abort()
  }
})
