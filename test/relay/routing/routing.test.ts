import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import { type FakeUpstream, startAnthropic } from '../../upstreams/index.ts'
import { anthropic, ask, requestIdOf } from '../ways.ts'
import { type ChannelHouse, openChannelHouse } from './channel-house.ts'

let house: ChannelHouse
let claude: FakeUpstream
let vipKey = ''
let adminKey = ''
let pinnedId = 0
let ableId = 0
let proxy: { url: string; targets: string[]; server: Server }

beforeAll(async () => {
  claude = await startAnthropic()
  proxy = await startProxy()
  house = await openChannelHouse({ RetryTimes: '3' }, async ({ add, books }) => {
    vipKey = (await books.addToken({ userId: await books.addUser(), group: 'vip' })).key
    adminKey = (await books.addToken({ userId: await books.addUser({ role: 10 }) })).key
    await add('a', 'm-groups', { groups: ['default'] })
    await add('b', 'm-groups', { groups: ['vip', 'svip'] })
    await add('a', 'm-tiers', { priority: 10 })
    await add('b', 'm-tiers', { priority: 0, weight: 100 })
    pinnedId = await add('c', 'm-tiers', { priority: -5 })
    await add('a', 'm-weights', { weight: 3 })
    await add('b', 'm-weights', { weight: 1 })
    await add('a', 'm-equals')
    await add('b', 'm-equals')
    await add('a', 'm-off', { status: 2 })
    await add('b', 'm-off', { status: 3 })
    await add('a', 'm-chain', { mapping: { 'm-chain': 'm-next', 'm-next': 'm-last', 'm-last': 'm-last' } })
    await add('a', 'm-circle', { mapping: { 'm-circle': 'm-other', 'm-other': 'm-circle' } })
    await add('a', 'm-status', { statusMapping: { '400': '502' }, priority: 1 })
    await add('b', 'm-status')
    await add('a', 'm-renamed', { statusMapping: { '400': '409' } })
    await add('a', 'm-override', {
      organization: 'org-of-the-house',
      setting: {
        param_override: { temperature: 0.25, user: 'house', max_tokens: 77 },
        header_override: {
          'X-Trace': 'trace {client_header:x-tag}{client_header:x-absent}',
          'X-Own-Key': 'k={api_key}',
        },
      },
    })
    await add('a', 'm-proxied', { setting: { proxy: proxy.url } })
    const dead = { setting: { proxy: 'http://127.0.0.1:9' } }
    await add('a', 'm-dead-proxy', { ...dead, priority: 1 })
    await add('b', 'm-dead-proxy')
    const seed = { type: 14, baseUrl: claude.url, key: claude.key }
    await books.addChannel({ ...seed, models: ['m-embed', 'm-no-embed', 'm-several'], priority: 10 })
    await add('a', 'm-embed')
    ableId = await add('a', 'm-several')
  })
})
afterAll(async () => {
  expect(claude.complaints).toEqual([])
  await house.close()
  await claude.stop()
  proxy.server.close()
})

/** Forwards what comes in absolute form, and remembers where to. */
async function startProxy() {
  const targets: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    targets.push(request.url ?? '')
    const { host: _host, connection: _connection, 'proxy-connection': _proxy, ...headers } = request.headers
    const answer = await fetch(request.url ?? '', {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, targets, server }
}

const times = (count: number) => Array.from({ length: count }, (_, at) => at)

test('what one vendor’s dialect cannot say goes to the next channel, and the first is not told as one that was asked', async () => {
  const { status, requestId } = await house.call('m-several', { more: { n: 2 } })
  expect(status).toBe(200)
  const { channel_id, details } = await house.rig.logOf(requestId)
  expect([channel_id, details.admin_info]).toMatchObject([ableId, { use_channel: [String(ableId)] }])
})

test('a group has its own channels', async () => {
  expect((await house.call('m-groups')).status).toBe(200)
  expect(house.asked('m-groups')).toEqual({ a: 1, b: 0, c: 0 })
  expect((await house.call('m-groups', { key: vipKey })).status).toBe(200)
  expect(house.asked('m-groups')).toEqual({ a: 1, b: 1, c: 0 })
})

test('the highest tier serves as long as it can, however heavy the others are', async () => {
  for (const at of times(20)) await house.call('m-tiers', { text: `call ${at}` })
  expect(house.asked('m-tiers')).toEqual({ a: 20, b: 0, c: 0 })
})

test('an administrator chooses a channel, and no other is asked', async () => {
  const before = house.asked('m-tiers')
  expect((await house.call('m-tiers', { key: `${adminKey}-${pinnedId}` })).status).toBe(200)
  expect(house.asked('m-tiers')).toEqual({ ...before, c: before.c + 1 })
  house.answer('c', 'm-tiers', house.upstreams.c.failWith('server-error'))
  expect((await house.call('m-tiers', { key: `${adminKey}-${pinnedId}` })).status).toBe(500)
  expect(house.asked('m-tiers')).toEqual({ ...before, c: before.c + 2 })
})

test('weights share the calls out', async () => {
  await Promise.all(times(200).map(at => house.call('m-weights', { text: `call ${at}` })))
  const { a, b } = house.asked('m-weights')
  expect(a + b).toBe(200)
  // Expected 150 and 50; seven standard deviations away is not chance.
  expect(a).toBeWithin(107, 194)
})

test('a conversation stays where it began, and others go elsewhere', async () => {
  const talk = (opening: string) =>
    times(8).map(turn => ({
      messages: [
        { role: 'system', content: opening },
        { role: 'user', content: 'first words' },
        ...times(turn).flatMap(at => [
          { role: 'assistant', content: `said ${at}` },
          { role: 'user', content: `and ${at}` },
        ]),
      ],
    }))
  const homes = new Set<string>()
  for (const at of times(16)) {
    const before = house.asked('m-equals')
    for (const more of talk(`conversation ${at}`))
      expect((await house.call('m-equals', { more })).status).toBe(200)
    const after = house.asked('m-equals')
    const moved = { a: after.a - before.a, b: after.b - before.b }
    expect([moved.a, moved.b].sort()).toEqual([0, 8])
    homes.add(moved.a > 0 ? 'a' : 'b')
  }
  expect(homes.size).toBe(2)
})

test('a prompt cache key names a conversation', async () => {
  const before = house.asked('m-equals')
  for (const at of times(8))
    await house.call('m-equals', { text: `quite another text ${at}`, more: { prompt_cache_key: 'one' } })
  const after = house.asked('m-equals')
  expect([after.a - before.a, after.b - before.b].sort()).toEqual([0, 8])
})

test('channels that are off serve nobody', async () => {
  const refused = await house.call('m-off')
  expect([refused.status, refused.words, refused.code]).toEqual([
    503,
    '当前分组 default 下对于模型 m-off 无可用渠道',
    'model_not_found',
  ])
})

test('a model is mapped by its chain, and billed by the name that was asked for', async () => {
  const called = await house.call('m-chain')
  expect(called.status).toBe(200)
  expect(house.upstreams.a.requests.at(-1)?.json).toMatchObject({ model: 'm-last' })
  const row = await house.rig.logOf(called.requestId)
  expect([row.model_name, row.details.is_model_mapped, row.details.upstream_model_name]).toEqual([
    'm-chain',
    true,
    'm-last',
  ])
})

test('a circle of names asks nobody', async () => {
  const balance = await house.rig.balance(house.userId)
  const refused = await house.call('m-circle')
  expect([refused.status, refused.words]).toEqual([500, '模型重定向存在循环，请联系管理员'])
  expect(house.asked('m-circle').a + house.asked('m-other').a).toBe(0)
  await house.rig.differences()
  expect(await house.rig.balance(house.userId)).toBe(balance)
})

test('a status is read as the operator says', async () => {
  house.answer('a', 'm-status', house.upstreams.a.failWith('bad-request'))
  expect((await house.call('m-status')).status).toBe(200)
  expect(house.asked('m-status')).toEqual({ a: 1, b: 1, c: 0 })
  house.answer('a', 'm-renamed', house.upstreams.a.failWith('bad-request'))
  const refused = await house.call('m-renamed')
  expect([refused.status, refused.words]).toEqual([409, 'Invalid request.'])
})

test('the operator’s fields, headers and organisation reach the upstream, the client’s do not', async () => {
  const called = await house.call('m-override', {
    more: { temperature: 1, seed: 5 },
    headers: {
      'x-tag': 'blue',
      'x-secret': 'mine',
      'openai-organization': 'org-of-the-client',
      cookie: 'a=b',
    },
  })
  expect(called.status).toBe(200)
  const seen = house.upstreams.a.requests.at(-1)
  expect(seen?.json).toMatchObject({ temperature: 0.25, user: 'house', max_tokens: 77, seed: 5 })
  expect(seen?.headers).toMatchObject({
    'x-trace': 'trace blue',
    'x-own-key': `k=${house.upstreams.a.key}`,
    'openai-organization': 'org-of-the-house',
  })
  expect(Object.keys(seen?.headers ?? {})).not.toContain('x-secret')
  expect(JSON.stringify(seen?.headers)).not.toContain(house.key.slice(3))
})

test('a channel with a proxy goes through it', async () => {
  expect((await house.call('m-proxied')).status).toBe(200)
  expect(proxy.targets).toEqual([`${house.upstreams.a.url}/v1/chat/completions`])
  const streamed = await house.call('m-proxied', { stream: true })
  expect(streamed.text).toContain('[DONE]')
  expect((await house.call('m-dead-proxy')).status).toBe(200)
  expect(house.asked('m-dead-proxy')).toEqual({ a: 0, b: 1, c: 0 })
})

test('embeddings go where there are embeddings', async () => {
  const embed = (model: string) =>
    fetch(`${house.rig.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'hi' }),
    })
  for (const _ of times(5)) {
    const response = await embed('m-embed')
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"embedding"')])
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBeGreaterThan(0)
  }
  expect(house.asked('m-embed')).toEqual({ a: 5, b: 0, c: 0 })
  expect((await embed('m-no-embed')).status).toBe(503)
  expect(claude.requests).toEqual([])
  const chatted = await ask(house.rig.url, anthropic, { key: house.key, model: 'm-no-embed' })
  expect([chatted.status, claude.requests.length]).toEqual([200, 1])
})
