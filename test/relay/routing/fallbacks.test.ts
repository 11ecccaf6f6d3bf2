import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { cutBeforeFirstFrame, emptyStream, silence } from '../../upstreams/index.ts'
import { anthropic, ask, chat, gemini, problemIn, readStream, requestIdOf, responses, ways } from '../ways.ts'
import { costAt, type FallbackHouse, openFallbackHouse, standIns, vendors } from './fallback-house.ts'

const { openai: GPT, anthropic: CLAUDE, gemini: GEMINI } = standIns

/** Each fails at a channel of its own, so that none rests because of another. */
const cases = ways.flatMap(way =>
  vendors.flatMap(vendor =>
    [false, true].map(stream => ({
      ...{ name: way.name, way, vendor, stream },
      model: `down-${way.name}-${vendor}-${stream}`,
    })),
  ),
)
const alone = (name: string): Record<string, string[]> => ({ [`down-${name}`]: [GPT.model] })
const names = 'refused filtered pinned off limited torn-plain torn rested left pg fine'.split(' ')

let house: FallbackHouse
let key = ''
let userId = 0

beforeAll(async () => {
  const fallbacks = {
    ...Object.fromEntries(cases.map(({ model, vendor }) => [model, [standIns[vendor].model]])),
    ...Object.assign({}, ...names.map(alone)),
    'down-none': [],
    'down-retried': ['f-two'],
    'down-all': ['down-second', 'down-third'],
    // What stands in has no stand-ins of its own, and one that goes in a circle comes to its end.
    'down-second': [GPT.model],
    'down-circle': ['down-circle-2'],
    'down-circle-2': ['down-circle'],
    'down-choosy': ['no-such-channel', 'f-unpriced', CLAUDE.model, GPT.model],
    'down-picky': [CLAUDE.model, GPT.model],
    'down-embed': ['f-embed'],
    'down-stored': [GPT.model],
    'down-compact': [GPT.model],
    'down-legacy': ['f-legacy'],
    [CLAUDE.model]: [GPT.model],
    'gone-by-name': [GEMINI.model],
    'gone-far': ['提供/模型 1'],
    [GPT.model]: [GEMINI.model],
    '*': [GPT.model],
  }
  const priced = Object.keys(fallbacks).filter(model => model.startsWith('down'))
  house = await openFallbackHouse({
    fallbacks,
    priced: [...priced, 'down-third', 'down-other', 'f-legacy', 'f-embed', 'f-two', '提供/模型 1'],
    async seed({ rig, channel }) {
      userId = await rig.addUser()
      ;({ key } = await rig.addToken({ userId }))
      for (const model of [...priced, 'down-third', 'down-other'])
        if (model !== 'down-retried') await channel('down', [model])
      for (let at = 0; at < 3; at++) await channel('down', ['down-retried'])
      for (let at = 0; at < 2; at++) await channel('openai', ['f-two'])
      await channel('openai', ['f-unpriced', 'f-legacy', 'f-embed', '提供/模型 1'])
    },
  })
})
afterAll(async () => expect(await house.close()).toEqual([]))

describe('every dialect falls back to every vendor', () => {
  test.each(cases)('$name to $vendor (streamed: $stream)', async ({ way, vendor, stream, model }) => {
    const before = await house.rig.balance(userId)
    const { status, headers, text, row, charge } = await house.call(model, { key, way, stream })
    const { model: served } = standIns[vendor]
    const cost = costAt(house, vendor)
    expect([status, charge, row.quota]).toEqual([200, cost, cost])
    expect(await house.rig.balance(userId)).toBe(before - cost)
    if (stream) expect(text).toMatch(way.endMark)
    expect(text).toContain(JSON.stringify(served))
    expect(text).not.toContain(JSON.stringify(model))
    expect(headers.get('x-tollgate-model')).toBe(served)
    expect(row).toMatchObject({ type: 2, model_name: served, details: { asked_model: model } })
    expect(row.details).not.toHaveProperty('is_model_mapped')
    expect((row.details.admin_info as { use_channel: string[] }).use_channel).toHaveLength(2)
    expect(house.asked('down', model)).toBe(1)
    expect(house.asked(vendor, model)).toBe(0)
  })
})

test('the figures count it', async () => {
  const count = async () => {
    const text = await (await fetch(`${house.rig.url}/metrics`)).text()
    const found = text.matchAll(/^tollgate_relay_fallbacks_total(?:\{[^}]*\})? (\d+)$/gm)
    return [...found].reduce((sum, [, value]) => sum + Number(value), 0)
  }
  const before = await count()
  await house.call(GPT.model, { key })
  await house.call('gone-by-name', { key })
  await until(async () => (await count()) === before + 1)
})

test('a header carries any name', async () => {
  const { headers, row } = await house.call('gone-far', { key })
  expect(row.model_name).toBe('提供/模型 1')
  expect(decodeURIComponent(headers.get('x-tollgate-model') ?? '')).toBe('提供/模型 1')
  expect(headers.get('x-tollgate-model')).toMatch(/^[ -~]+$/)
})

test('the model that was asked for serves as ever while it can', async () => {
  house.down.next({})
  const { row, headers, status } = await house.call('down-fine', { key })
  expect([status, row.model_name, headers.get('x-tollgate-model')]).toEqual([200, 'down-fine', null])
  expect(row.details).not.toHaveProperty('asked_model')
})

describe('a model that nobody has', () => {
  test.each([false, true])('is served by what stands in for it (streamed: %p)', async stream => {
    const named = await house.call('gone-by-name', { key, stream, way: anthropic })
    expect([named.status, named.row.model_name, named.charge]).toEqual([
      200,
      GEMINI.model,
      costAt(house, 'gemini'),
    ])
    const any = await house.call('toString', { key, stream, way: gemini })
    expect([any.status, any.row.model_name, any.charge]).toEqual([200, GPT.model, costAt(house, 'openai')])
    expect(any.row.details).toMatchObject({ asked_model: 'toString' })
    expect(any.headers.get('x-tollgate-model')).toBe(GPT.model)
  })

  test('is refused as ever where that cannot serve either', async () => {
    house.at.openai.next(house.at.openai.failWith('server-error'))
    const { status, text, row, charge } = await house.call('nowhere', { key })
    expect([status, problemIn(chat, text)?.code]).toEqual([503, 'model_not_found'])
    expect(problemIn(chat, text)?.message).toContain('nowhere')
    expect([row.type, row.model_name, row.channel_id, charge]).toEqual([5, 'nowhere', 0, undefined])
  })
})

describe('who stands in', () => {
  test('the next of the list where one cannot; what has no channel or no price is passed over', async () => {
    house.at.anthropic.next(house.at.anthropic.failWith('overloaded'))
    const { row, charge } = await house.call('down-choosy', { key, way: responses })
    expect([row.model_name, charge]).toEqual([GPT.model, costAt(house, 'openai')])
    expect(house.asked('openai', 'f-unpriced')).toBe(0)
  })

  test('not what the others fall back to', async () => {
    const { status, text, row, charge } = await house.call('down-all', { key })
    expect([status, row.type, row.model_name, charge]).toEqual([500, 5, 'down-all', undefined])
    expect(problemIn(chat, text)).toBeDefined()
    expect(['down-all', 'down-second', 'down-third'].map(model => house.asked('down', model))).toEqual([
      1, 1, 1,
    ])
    expect((await house.call('down-circle', { key })).status).toBe(500)
    expect(['down-circle', 'down-circle-2'].map(model => house.asked('down', model))).toEqual([1, 1])
  })

  test('nobody, where the list is empty', async () => {
    const { status, headers } = await house.call('down-none', { key })
    expect([status, headers.get('x-tollgate-model')]).toEqual([500, null])
  })

  test('nobody, for a client that wants its own model or none', async () => {
    const headers = { 'x-tollgate-fallbacks': 'off' }
    expect((await house.call('down-off', { key, headers })).status).toBe(500)
    expect((await house.call('nowhere', { key, headers })).status).toBe(503)
    expect((await house.call('down-off', { key })).status).toBe(200)
  })

  test('nobody that the token may not use', async () => {
    const token = await house.rig.addToken({ userId, models: ['down-limited', 'down-picky', GPT.model] })
    const { key } = await house.rig.addToken({ userId, models: ['down-limited'] })
    expect((await house.call('down-limited', { key })).status).toBe(500)
    expect((await house.call(GPT.model, { key })).status).toBe(403)
    expect((await house.call('nowhere', { key })).status).toBe(403)
    // The first of the list is not for it, the second is.
    expect((await house.call('down-picky', { key: token.key })).row.model_name).toBe(GPT.model)
  })

  test('nobody, for a channel that is asked for by its number', async () => {
    const admin = await house.rig.addUser({ role: 10 })
    const { key } = await house.rig.addToken({ userId: admin })
    const id = await house.channel('down', ['down-pinned'])
    await until(async () => (await house.call('down-pinned', { key: `${key}-${id}` })).status === 500)
    expect(house.asked('openai', 'down-pinned')).toBe(0)
  })
})

describe('what is the caller’s own doing is told, and nobody else is asked', () => {
  test.each([
    ['down-refused', 'bad-request', 400],
    ['down-filtered', 'filtered', 400],
  ] as const)('%s', async (model, kind, status) => {
    house.down.next(house.down.failWith(kind))
    const before = house.at.openai.requests.length
    const refused = await house.call(model, { key })
    expect([refused.status, refused.row.model_name, refused.charge]).toEqual([status, model, undefined])
    expect(house.at.openai.requests.length).toBe(before)
  })

  test('also when one that stands in says so', async () => {
    house.at.anthropic.next(house.at.anthropic.failWith('bad-request', 'no such thing'))
    const before = house.at.openai.requests.length
    const refused = await house.call('down-picky', { key })
    expect([refused.status, refused.charge]).toEqual([400, undefined])
    expect(problemIn(chat, refused.text)?.message).toContain('no such thing')
    expect(refused.row).toMatchObject({ model_name: CLAUDE.model, details: { asked_model: 'down-picky' } })
    expect(house.at.openai.requests.length).toBe(before)
  })

  test('also when the filter of one that stands in refuses it, which was not why it was asked', async () => {
    house.at.anthropic.next(house.at.anthropic.failWith('filtered'))
    const before = house.at.openai.requests.length
    const refused = await house.call('down-picky', { key })
    expect([refused.status, refused.charge]).toEqual([400, undefined])
    expect(house.at.openai.requests.length).toBe(before)
  })

  test('and what the model’s vendor cannot be asked for', async () => {
    const before = house.at.openai.requests.length
    const refused = await house.call(CLAUDE.model, { key, more: { n: 2 } })
    expect([refused.status, refused.row.model_name, refused.charge]).toEqual([400, CLAUDE.model, undefined])
    expect(house.at.openai.requests.length).toBe(before)
  })

  test('words that are not allowed are refused before', async () => {
    const before = house.at.openai.requests.length
    expect((await house.call('nowhere', { key, text: 'test_sensitive' })).status).toBe(400)
    expect(house.at.openai.requests.length).toBe(before)
  })
})

describe('streams', () => {
  test.each([
    ['ends before it began', emptyStream],
    ['breaks before it began', cutBeforeFirstFrame],
  ])('one that %s is begun by another model', async (_name, script) => {
    house.down.next(script)
    const { status, text, row, charge } = await house.call('down-torn-plain', { key, stream: true })
    expect([status, row.model_name, charge]).toEqual([200, GPT.model, costAt(house, 'openai')])
    expect(text).toMatch(chat.endMark)
  })

  test('one that breaks later ends there', async () => {
    house.down.next({ cutAfterFrames: 3, onceRead: true })
    const before = house.at.openai.requests.length
    const { text, row } = await house.call('down-torn', { key, stream: true })
    expect(text).toMatch(chat.failMark)
    expect([row.model_name, row.type]).toEqual(['down-torn', 2])
    expect(house.at.openai.requests.length).toBe(before)
  })
})

test('while all its channels rest it is not asked', async () => {
  house.down.next({ ...house.down.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
  for (let at = 0; at < 2; at++)
    expect((await house.call('down-rested', { key })).row.model_name).toBe(GPT.model)
  expect(house.asked('down', 'down-rested')).toBe(1)
  // Who wants no other is told to wait.
  const off = await house.call('down-rested', { key, headers: { 'x-tollgate-fallbacks': 'off' } })
  expect([off.status, Number(off.headers.get('retry-after')) > 0]).toEqual([429, true])
})

test('each model is retried as often as the operator lets it be', async () => {
  const root = await rootClient(house.rig.url)
  await root.saveOption('RetryTimes', '1')
  house.at.openai.next(house.at.openai.failWith('server-error'))
  const { row, status } = await house.call('down-retried', { key })
  await root.saveOption('RetryTimes', '0')
  expect([status, row.model_name]).toEqual([200, 'f-two'])
  // It has three channels.
  expect(house.asked('down', 'down-retried')).toBe(2)
  expect((row.details.admin_info as { use_channel: string[] }).use_channel).toHaveLength(4)
})

test('who leaves while the first is asked is not served by another', async () => {
  const leaving = new AbortController()
  house.down.next(silence)
  const before = house.at.openai.requests.length
  const asking = ask(house.rig.url, chat, { key, model: 'down-left', signal: leaving.signal })
  asking.catch(() => {})
  await until(() => house.asked('down', 'down-left') === 1)
  leaving.abort()
  const row = await until(() =>
    house.rig.store.db
      .selectFrom('logs')
      .selectAll()
      .where('model_name', '=', 'down-left')
      .executeTakeFirst(),
  )
  expect([row.type, row.quota, JSON.parse(row.other).status_code]).toEqual([5, 0, 499])
  expect(house.at.openai.requests.length).toBe(before)
})

describe('other calls than chat', () => {
  const post = async (path: string, body: object) => {
    const response = await fetch(house.rig.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { text } = await readStream(response)
    return { response, text, row: await house.rig.logOf(requestIdOf(response)) }
  }

  test('vectors are those of their model: they fail', async () => {
    const body = { input: 'hello', model: 'down-embed' }
    expect((await post('/v1/embeddings', body)).response.status).toBe(500)
    expect((await post('/v1/embeddings', { ...body, model: 'nowhere' })).response.status).toBe(503)
    expect(house.asked('openai', 'f-embed')).toBe(0)
  })

  test('so does a conversation that is to be made shorter', async () => {
    const body = { input: 'hello', model: 'down-compact' }
    expect((await post('/v1/responses/compact', body)).response.status).toBe(500)
    expect((await post('/v1/responses/compact', { ...body, model: 'nowhere' })).response.status).toBe(503)
  })

  test.each([false, true])('completions fall back to what has them (streamed: %p)', async stream => {
    const { response, row } = await post('/v1/completions', {
      ...{ prompt: 'hello', model: 'down-legacy', max_tokens: 20 },
      ...(stream && { stream }),
    })
    const { input = 0, output = 0 } = house.at.openai.served.at(-1)?.tally ?? {}
    expect([response.status, row.model_name, row.quota]).toEqual([200, 'f-legacy', input + output])
    expect([row.details.asked_model, response.headers.get('x-tollgate-model')]).toEqual([
      'down-legacy',
      'f-legacy',
    ])
  })

  test('what a stand-in has stored is gone on with there', async () => {
    const first = await post('/v1/responses', { input: 'hello', model: 'down-stored' })
    const { id } = JSON.parse(first.text) as { id: string }
    const asked = house.asked('down', 'down-stored')
    const next = await post('/v1/responses', {
      ...{ input: 'and then', model: 'down-stored', previous_response_id: id },
    })
    expect([next.response.status, next.row.model_name, next.row.quota]).toEqual([
      200,
      GPT.model,
      costAt(house, 'openai'),
    ])
    expect(house.asked('down', 'down-stored')).toBe(asked)
  })
})

test('the playground knows it too', async () => {
  const root = await rootClient(house.rig.url)
  await root.put('/api/user/', { id: root.userId, quota: 5_000_000 })
  const answer = await root.post('/pg/chat/completions', { ...chat.body('down-pg', 'hi', false) })
  const row = await house.rig.logOf(answer.headers.get('x-oneapi-request-id') ?? '')
  expect([answer.status, row.model_name, row.quota]).toEqual([200, GPT.model, costAt(house, 'openai')])
})
