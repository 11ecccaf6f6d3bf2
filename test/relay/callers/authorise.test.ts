import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig, type SeededToken, type TokenSeed } from '../rig.ts'
import { rawRequest, sendRaw } from '../streams/raw-socket.ts'
import { anthropic, ask, chat, gemini, problemIn, requestIdOf, responses, type Way, ways } from '../ways.ts'

const TWIN = 'a'.repeat(40)
const DAY = 86_400
const seconds = (): number => Math.floor(Date.now() / 1000)

let rig: Rig
let fake: FakeUpstream
let channelId = 0
let userId = 0
let adminId = 0
const keys: Record<string, string> = {}
const tokens: Record<string, SeededToken> = {}

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(
    async books => {
      const channel = { type: 1, baseUrl: fake.url, key: fake.key, models: ['gpt-4o', 'gpt-4o-mini'] }
      channelId = await books.addChannel({ ...channel, groups: ['default', 'vip', 'gone'] })
      await books.addChannel({ ...channel, models: ['gpt-4'], status: 2 })
      await books.setOption('GroupRatio', '{"default":1,"vip":2,"gone":1,"house":1}')
      userId = await books.addUser()
      adminId = await books.addUser({ role: 10 })
      const banned = await books.addUser()
      await books.store.db.updateTable('users').set({ status: 2 }).where('id', '=', banned).execute()
      const seeds: Record<string, TokenSeed> = {
        good: { userId },
        admin: { userId: adminId },
        expired: { userId, expiresAt: seconds() - 1 },
        markedExpired: { userId, status: 3 },
        later: { userId, expiresAt: seconds() + DAY },
        disabled: { userId, status: 2 },
        exhausted: { userId, status: 4, budget: 0 },
        spent: { userId, budget: 0 },
        deleted: { userId },
        banned: { userId: banned },
        mini: { userId, models: ['gpt-4o-mini'] },
        vip: { userId, group: 'vip' },
        gone: { userId, group: 'gone' },
        house: { userId: await books.addUser({ group: 'house' }), group: 'house' },
        here: { userId, allowIps: '10.1.0.0/16\n127.0.0.1' },
        v4: { userId, allowIps: '203.0.113.0/24' },
        v6: { userId, allowIps: '2001:db8:1::/48' },
        nonsense: { userId, allowIps: 'not an address' },
        twinOne: { userId, key: `${TWIN}1111` },
        twinTwo: { userId, key: `${TWIN}2222`, status: 2 },
        short: { userId, key: TWIN, models: ['gpt-4o-mini'] },
      }
      for (const [name, seed] of Object.entries(seeds)) {
        const token = await books.addToken(seed)
        tokens[name] = token
        keys[name] = token.key
      }
      await books.store.db
        .updateTable('tokens')
        .set({ deleted_at: seconds() })
        .where('id', '=', tokens.deleted?.id ?? 0)
        .execute()
    },
    { TRUSTED_PROXIES: '127.0.0.1' },
  )
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await fake.stop()
})

const english = { 'accept-language': 'en-GB,en;q=0.9' }

/** The refusal in a dialect: its status, and its words without the id behind them. */
async function refusal(
  way: Way,
  key: string,
  asking: { model?: string; headers?: Record<string, string> } = {},
) {
  const response = await ask(rig.url, way, { key, model: 'gpt-4o', ...asking })
  const text = await response.text()
  const problem = problemIn(way, text)
  if (response.status < 400) return { status: response.status, words: '', code: undefined, type: undefined }
  const tail = ` (request id: ${requestIdOf(response)})`
  expect(problem?.message ?? text).toEndWith(tail)
  const words = problem?.message.slice(0, -tail.length) ?? ''
  return { status: response.status, words, code: problem?.code, type: problem?.type }
}

describe('where a key may stand', () => {
  const bare = (): string => keys.good?.slice(3) ?? ''
  const places: [string, () => Record<string, string>, string?][] = [
    ['Bearer', () => ({ authorization: `Bearer ${keys.good}` })],
    ['Bearer without sk-', () => ({ authorization: `Bearer ${bare()}` })],
    ['bearer in small letters', () => ({ authorization: `bearer ${keys.good}` })],
    ['Authorization alone', () => ({ authorization: keys.good ?? '' })],
    ['x-api-key', () => ({ 'x-api-key': keys.good ?? '' })],
    ['x-goog-api-key', () => ({ 'x-goog-api-key': bare() })],
    ['mj-api-secret', () => ({ 'mj-api-secret': keys.good ?? '' })],
    ['api-key', () => ({ 'api-key': bare() })],
    ['x-litellm-api-key', () => ({ 'x-litellm-api-key': `Bearer ${keys.good}` })],
    ['x-portkey-api-key', () => ({ 'x-portkey-api-key': keys.good ?? '', 'x-portkey-provider': 'openai' })],
  ]
  test.each(places)('%s', async (_name, headers) => {
    for (const way of ways) {
      const response = await fetch(rig.url + way.path('gpt-4o', false), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers() },
        body: JSON.stringify(way.body('gpt-4o', 'hi', false)),
      })
      expect([way.name, response.status]).toEqual([way.name, 200])
    }
  })

  test('the query', async () => {
    for (const key of [keys.good, bare()]) {
      const response = await fetch(`${rig.url}/v1beta/models/gpt-4o:generateContent?key=${key}`, {
        method: 'POST',
        body: JSON.stringify(gemini.body('', 'hi', false)),
      })
      expect(response.status).toBe(200)
    }
  })
})

describe('refusals, in the words and the form of each client', () => {
  const rows: [string, number, string, string, string | null, { model?: string; suffix?: string }?][] = [
    ['none', 401, '未提供令牌', 'No API key was given', 'invalid_api_key'],
    ['unknown', 401, '无效的令牌', 'The API key is not valid', 'invalid_api_key'],
    ['deleted', 401, '无效的令牌', 'The API key is not valid', 'invalid_api_key'],
    ['expired', 401, '该令牌已过期', 'This token has expired', 'invalid_api_key'],
    ['markedExpired', 401, '该令牌已过期', 'This token has expired', 'invalid_api_key'],
    ['disabled', 401, '该令牌状态不可用', 'This token is not usable', 'invalid_api_key'],
    ['exhausted', 401, '该令牌额度已用尽', 'This token’s quota is used up', 'insufficient_quota'],
    ['spent', 401, '该令牌额度已用尽', 'This token’s quota is used up', 'insufficient_quota'],
    ['banned', 403, '用户已被封禁', 'This user is banned', null],
    [
      'v4',
      403,
      '您的 IP 不在令牌允许访问的列表中',
      'Your IP address is not among those that this token allows',
      null,
    ],
    ['gone', 403, '令牌分组 gone 已被禁用', 'Group gone of this token is disabled', null],
    ['mini', 403, '该令牌无权访问模型 gpt-4o', 'This token may not use model gpt-4o', 'model_not_allowed'],
    [
      'good',
      403,
      '普通用户不支持指定渠道',
      'Only administrators may choose a channel',
      null,
      { suffix: '-1' },
    ],
    ['admin', 400, '无效的渠道 Id', 'The channel id is not valid', null, { suffix: '-999' }],
    ['admin', 400, '无效的渠道 Id', 'The channel id is not valid', null, { suffix: '-1x' }],
    ['admin', 400, '无效的渠道 Id', 'The channel id is not valid', null, { suffix: '-' }],
    ['admin', 403, '该渠道已被禁用', 'That channel is disabled', null, { suffix: '-2' }],
    [
      'good',
      503,
      '当前分组 default 下对于模型 no-such 无可用渠道',
      'No channel is available for model no-such in group default',
      'model_not_found',
      { model: 'no-such' },
    ],
  ]
  test.each(rows)('%s: %i %s', async (who, status, zh, en, code, more = {}) => {
    const key = (keys[who] ?? (who === 'none' ? '' : 'sk-nobody')) + (more.suffix ?? '')
    const model = more.model ? { model: more.model } : {}
    for (const way of ways) {
      const said = await refusal(way, key, model)
      expect([way.name, said.status, said.words]).toEqual([way.name, status, zh])
      const saidInEnglish = await refusal(way, key, { ...model, headers: english })
      expect([way.name, saidInEnglish.words]).toEqual([way.name, en])
      if (way === chat || way === responses) {
        expect([said.code, said.type]).toEqual([code, 'new_api_error'])
      }
    }
    expect(fake.requests.some(seen => seen.text.includes('no-such'))).toBe(false)
  })

  test('nobody who was refused paid or reached the upstream', async () => {
    const before = fake.requests.length
    const balance = await rig.balance(userId)
    await refusal(chat, keys.disabled ?? '')
    await refusal(anthropic, keys.mini ?? '')
    expect(fake.requests.length).toBe(before)
    expect(await rig.balance(userId)).toBe(balance)
  })
})

test('a token that had nothing left is served as soon as it has', async () => {
  const { id, key } = await rig.addToken({ userId, budget: 0 })
  expect((await refusal(chat, key)).words).toBe('该令牌额度已用尽')
  // As the books of another process would: without a word to anyone.
  await rig.store.db.updateTable('tokens').set({ unlimited_quota: 1 }).where('id', '=', id).execute()
  expect((await refusal(chat, key)).status).toBe(200)
})

describe('limits of a token', () => {
  test('what lies within them is served', async () => {
    for (const name of ['later', 'vip', 'house', 'here'])
      expect([name, (await refusal(chat, keys[name] ?? '')).status]).toEqual([
        name,
        name === 'house' ? 503 : 200,
      ])
    expect((await refusal(chat, keys.mini ?? '', { model: 'gpt-4o-mini' })).status).toBe(200)
    expect((await refusal(chat, `${keys.admin}-${channelId}`)).status).toBe(200)
  })

  const addresses: [string, string, number][] = [
    ['v4', '203.0.113.200', 200],
    ['v4', '198.51.100.1, 203.0.113.9', 200],
    ['v4', '203.0.113.9, 198.51.100.1', 403],
    ['v4', '203.0.114.1', 403],
    ['v4', '::ffff:203.0.113.7', 200],
    ['v6', '2001:db8:1:ffff::9', 200],
    ['v6', '2001:db8:2::9', 403],
    ['v6', '203.0.113.9', 403],
    ['nonsense', '203.0.113.9', 403],
    ['here', '10.1.200.3', 200],
    ['here', '10.2.0.1', 403],
  ]
  test.each(addresses)('%s, forwarded for %s: %i', async (name, forwarded, status) => {
    const headers = { 'x-forwarded-for': forwarded }
    expect((await refusal(chat, keys[name] ?? '', { headers })).status).toBe(status)
  })

  test('who is no proxy of ours cannot speak for others', async () => {
    const body = JSON.stringify(chat.body('gpt-4o', 'hi', false))
    const request = rawRequest(
      [
        'POST /v1/chat/completions HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${keys.v4}`,
        'X-Forwarded-For: 203.0.113.9',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ],
      body,
    )
    expect((await sendRaw(rig.url, request, { localAddress: '127.0.0.2' })).status).toBe(403)
    expect((await sendRaw(rig.url, request)).status).toBe(200)
  })

  test('a group that users may no longer choose', async () => {
    expect((await refusal(chat, keys.vip ?? '')).status).toBe(200)
    await rig.setOption('UserUsableGroups', '{"default":"x"}')
    await until(async () => (await refusal(chat, keys.vip ?? '')).status !== 200)
    expect((await refusal(chat, keys.vip ?? '')).words).toBe('令牌分组 vip 已被禁用')
    await rig.setOption('UserUsableGroups', '{"default":"x","vip":"y"}')
  })
})

test('injected SQL is a bad key like any other', async () => {
  const usual = await refusal(chat, 'sk-nobody')
  for (const evil of [
    "' OR '1'='1'--",
    '" OR 1=1 --',
    "x'; DROP TABLE tokens;--",
    "' UNION SELECT 1,2,3#",
    '%',
    '_',
  ]) {
    expect(await refusal(chat, `sk-${evil}`)).toEqual(usual)
    const inHeader = await fetch(rig.url + chat.path('', false), {
      method: 'POST',
      headers: { 'x-api-key': evil },
      body: JSON.stringify(chat.body('gpt-4o', 'hi', false)),
    })
    expect(inHeader.status).toBe(401)
    const path = `/v1beta/models/gpt-4o:generateContent?key=${encodeURIComponent(evil)}`
    expect((await fetch(rig.url + path, { method: 'POST', body: '{}' })).status).toBe(401)
  }
  expect((await refusal(chat, keys.good ?? '')).status).toBe(200)
})

test('tokens that begin alike are different tokens', async () => {
  expect((await refusal(chat, keys.twinOne ?? '')).status).toBe(200)
  expect((await refusal(chat, keys.twinTwo ?? '')).words).toBe('该令牌状态不可用')
  expect((await refusal(chat, keys.short ?? '')).words).toBe('该令牌无权访问模型 gpt-4o')
  expect((await refusal(chat, `${keys.twinOne}1`)).words).toBe('无效的令牌')
  expect((await refusal(chat, keys.twinOne?.slice(0, -1) ?? '')).words).toBe('无效的令牌')
})

test('a token disabled in the database is refused within a second, and comes back', async () => {
  const { id, key } = tokens.later ?? { id: 0, key: '' }
  const setStatus = (status: number) =>
    rig.store.change('tokens', transaction =>
      transaction.updateTable('tokens').set({ status }).where('id', '=', id).execute(),
    )
  const headers = { authorization: `Bearer ${key}` }
  // Where money is held the ledger looks as well; here nobody but the door does.
  const listModels = async () => (await fetch(`${rig.url}/v1/models`, { headers })).status
  expect([(await refusal(chat, key)).status, await listModels()]).toEqual([200, 200])
  await setStatus(2)
  await until(async () => (await listModels()) === 401)
  expect((await refusal(chat, key)).words).toBe('该令牌状态不可用')
  await setStatus(1)
  await until(async () => (await listModels()) === 200)
  expect((await refusal(chat, key)).status).toBe(200)
})
