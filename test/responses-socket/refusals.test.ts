import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../server/dialects/json.ts'
import { until } from '../program.ts'
import { askPlainly, socketHeaders, type Talk } from '../realtime/house.ts'
import {
  ask,
  CONVERTED,
  create,
  expectRefused,
  type House,
  MODEL,
  openHouse,
  saidIn,
  send,
  statusOf,
} from './house.ts'

let house: House
let key = ''
beforeAll(async () => {
  house = await openHouse()
  key = (await house.addCaller()).token.key
})
afterAll(() => house.close())

const expectWorking = async (talk: Talk): Promise<void> => {
  const { response } = await ask(talk, create('Still here?'))
  expect(saidIn(response)).toContain('You said: Still here?')
}

describe('who comes in', () => {
  test.each([
    ['a header', () => house.connect(key)],
    ['another header', () => house.connect('', { headers: { 'x-api-key': key } })],
    [
      'the offer of subprotocols',
      () => house.connect('', { headers: {}, protocols: ['realtime', `openai-insecure-api-key.${key}`] }),
    ],
    ['the address', () => house.connect('', { headers: {} }, `/v1/responses?key=${key}`)],
    ['the address of Azure’s clients', () => house.connect(key, {}, '/openai/v1/responses')],
  ])('with a key in %s', async (_where, connect) => {
    const talk = connect()
    await expectWorking(talk)
    expect(talk.socket.protocol).not.toContain(key)
  })

  const opening = (given: string) =>
    askPlainly(`${house.rig.url}/v1/responses`, { ...socketHeaders, authorization: `Bearer ${given}` })

  test('not without a good one, and is told so in HTTP', async () => {
    expect((await opening('sk-nobody')).status).toBe(401)
    const { token } = await house.addCaller({ status: 2 })
    const { status, body } = await opening(token.key)
    expect(status).toBe(401)
    expect(asObject(body.error)).toMatchObject({ code: 'invalid_api_key' })
    const elsewhere = await house.addCaller({ allowIps: '203.0.113.0/24' })
    expect((await opening(elsewhere.token.key)).status).toBe(403)
  })

  test('and what only the socket is about is told to no upstream', async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'openai-beta': 'responses_websockets=2026-02-06, other=v1',
      'idempotency-key': 'the same for all turns',
    }
    await expectWorking(house.connect('', { headers }))
    const seen = house.openai.requests.at(-1)?.headers
    expect(seen).toMatchObject({ 'openai-beta': 'other=v1' })
    expect(Object.keys(seen ?? {}).filter(name => /websocket|idempotency|upgrade/.test(name))).toEqual([])
    await expectWorking(
      house.connect('', { headers: { ...headers, 'openai-beta': 'responses_websockets=1' } }),
    )
    expect(house.openai.requests.at(-1)?.headers).not.toHaveProperty('openai-beta')
  })

  test('and whoever wants no socket is told what it always was', async () => {
    const answer = async (path: string) => {
      const response = await fetch(`${house.rig.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      return { status: response.status, text: (await response.text()).replaceAll(path, 'PATH') }
    }
    expect(await answer('/v1/responses')).toEqual(await answer('/v1/nothing-here'))
    expect((await answer('/v1/responses')).status).toBe(404)
  })
})

describe('what is no turn', () => {
  const deep = `{"type":"response.create","input":${'['.repeat(400)}${']'.repeat(400)}}`
  const crowded = `{"type":"response.create","input":[${'{},'.repeat(2_000_000)}{}]}`
  test.each<[string, JsonObject | string | Uint8Array, JsonObject]>([
    ['no JSON', 'hello', { status: 400, error: { code: 'invalid_json' } }],
    ['no object', '[1]', { status: 400, error: { code: 'invalid_json' } }],
    ['bytes', new TextEncoder().encode('{}'), { status: 400, error: { code: 'invalid_json' } }],
    ['too deep', deep, { status: 400, error: { code: 'invalid_json' } }],
    ['too crowded', crowded, { status: 400 }],
    ['no type', { model: MODEL }, { status: 400, error: { param: 'type' } }],
    ['an unknown type', { type: 'session.update' }, { status: 400, error: { param: 'type' } }],
    ['no model', { type: 'response.create', input: 'x' }, { error: { code: 'model_required' } }],
    ['an unknown model', create('x', { model: 'gpt-none' }), { error: { code: 'model_not_found' } }],
    ['odd input', create('x', { model: CONVERTED, input: 7 }), { status: 400, error: { param: 'input' } }],
    ['odd input, sent ahead', create('x', { input: 7, generate: false }), { error: { param: 'input' } }],
    ['a background', create('x', { background: true }), { status: 400 }],
    ['a spelling', create('x', { Model: 'gpt-4o' }), { status: 400 }],
    ['an empty stream_id', create('x', { stream_id: '' }), { error: { param: 'stream_id' } }],
    ['an odd generate', create('x', { generate: 'no' }), { error: { param: 'generate' } }],
    [
      'an odd response to go on from',
      create('x', { previous_response_id: 7 }),
      { error: { param: 'previous_response_id' } },
    ],
    ['an odd stream_id', create('x', { stream_id: 7 }), { error: { param: 'stream_id' } }],
  ])('%s', async (_name, message, expected) => {
    const talk = house.connect(key)
    await expectRefused(talk, message, expected)
    await expectWorking(talk)
  })

  test('fields of the transport do no harm', async () => {
    const talk = house.connect(key)
    await ask(talk, create('One', { stream: true, background: false }))
    await ask(talk, create('Two', { stream: false, background: null, previous_response_id: null }))
    expect(house.openai.complaints).toEqual([])
  })

  test('errors of a lane name it', async () => {
    const talk = house.connect(key)
    await expectRefused(talk, create('x', { model: 'gpt-none', stream_id: 'one' }), { stream_id: 'one' })
    await expectRefused(talk, { type: 'nothing', stream_id: 'two' }, { stream_id: 'two' })
  })

  test.each<[string, JsonObject]>([
    ['of them', {}],
    ['of refused turns', create('x', { model: 'gpt-none' })],
    ['that only send ahead', create('x', { generate: false })],
  ])('thousands %s close the socket, and no other, before all are answered', async (_, message) => {
    const bystander = house.connect(key)
    await expectWorking(bystander)
    const talk = house.connect(key)
    await expectWorking(talk)
    for (let count = 0; count < 5000; count++) talk.socket.send(JSON.stringify(message))
    let told = 0
    while (await talk.next()) told++
    expect((await talk.closed).code).toBe(1008)
    expect(told).toBeLessThan(2000)
    await expectWorking(bystander)
  })

  test('one that is larger than a body may be closes the socket, and no other', async () => {
    const bystander = house.connect(key)
    await expectWorking(bystander)
    const talk = house.connect(key)
    await send(talk, `{"type":"response.create","input":"${'x'.repeat(64 * 1024 * 1024)}"}`)
    expect([1006, 1009]).toContain((await talk.closed).code)
    await expectWorking(bystander)
  })
})

describe('what a turn goes on from', () => {
  test('has to be known', async () => {
    const talk = house.connect(key)
    const event = await expectRefused(talk, create('x', { previous_response_id: 'resp_none' }), {
      status: 400,
      error: {
        type: 'invalid_request_error',
        code: 'previous_response_not_found',
        param: 'previous_response_id',
      },
    })
    expect(JSON.stringify(event)).toContain('resp_none')
    await expectWorking(talk)
  })

  test('is known on its own socket only, where nobody stores it', async () => {
    const { id } = await ask(house.connect(key), create('Secret'))
    const next = create('And?', { previous_response_id: id })
    await expectRefused(house.connect(key), next, { error: { code: 'previous_response_not_found' } })
  })

  test('is nobody else’s, where an upstream stores it', async () => {
    const { id } = await ask(house.connect(key), create('Secret', { store: true }))
    const { token } = await house.addCaller()
    const next = create('And?', { previous_response_id: id })
    await expectRefused(house.connect(token.key), next, { error: { code: 'previous_response_not_found' } })
  })

  test('is kept here where an upstream of another dialect was to store it', async () => {
    const talk = house.connect(key)
    const { id } = await ask(talk, create('First', { model: CONVERTED, store: true }))
    await ask(talk, create('Second', { model: CONVERTED, store: true, previous_response_id: id }))
    expect(house.anthropic.requests.at(-1)?.text).toContain('You said: First')
    // The model may change on the way.
    await ask(talk, create('Third', { previous_response_id: id }))
    expect(house.openai.requests.at(-1)?.text).toContain('You said: First')
    expect(house.openai.complaints).toEqual([])
  })

  test('is forgotten by a turn that fails', async () => {
    const talk = house.connect(key)
    const { id } = await ask(talk, create('First'))
    const next = create('Second', { previous_response_id: id })
    house.openai.next(house.openai.failWith('bad-request'))
    await expectRefused(talk, next, { status: 400 })
    await expectRefused(talk, next, { error: { code: 'previous_response_not_found' } })
    await expectWorking(talk)
  })
})

describe('every turn is looked at anew', () => {
  const change = (table: 'tokens' | 'users', id: number, set: object) =>
    house.rig.store.change(table, transaction =>
      transaction.updateTable(table).set(set).where('id', '=', id).execute(),
    )

  test.each([
    ['a token that is disabled', 'tokens', { status: 2 }, { status: 1 }, 401],
    // The books note it themselves when a call meets it.
    ['a token that has expired', 'tokens', { expired_time: 1 }, { expired_time: -1, status: 1 }, 401],
    ['a user who is banned', 'users', { status: 2 }, { status: 1 }, 403],
    ['a token for other models', 'tokens', { model_limits_enabled: 1 }, { model_limits_enabled: 0 }, 403],
    ['a token for other addresses', 'tokens', { allow_ips: '203.0.113.1' }, { allow_ips: null }, 403],
  ] as const)('%s', async (_name, table, set, unset, status) => {
    const { userId, token } = await house.addCaller()
    const id = table === 'tokens' ? token.id : userId
    const talk = house.connect(token.key)
    await expectWorking(talk)
    await change(table, id, set)
    await until(async () => (await statusOf(talk, create('No'))) === status)
    // The books may know of it before who reads them does.
    const ahead = create('Not even ahead', { generate: false })
    await until(async () => (await statusOf(talk, ahead)) === status)
    expect(await statusOf(talk, create('Still not'))).toBe(status)
    await change(table, id, unset)
    await until(async () => (await statusOf(talk, create('Yes'))) === 200)
  })

  test('limits of requests are told with their headers, and the socket stays', async () => {
    const { token } = await house.addCaller({ limits: { rpm: 1 } })
    const talk = house.connect(token.key)
    await expectWorking(talk)
    const event = await expectRefused(talk, create('One too many'), {
      status: 429,
      error: { code: 'rate_limit_exceeded' },
    })
    const headers = asObject(event.headers)
    expect(headers).toMatchObject({ 'retry-after': expect.any(String) })
    expect(asObject(event.error)?.headers).toEqual(headers)
    expect(talk.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('of calls at the same time lanes are some, and idle sockets none', async () => {
    const { token } = await house.addCaller({ limits: { concurrency: 1 } })
    const talk = house.connect(token.key)
    house.connect(token.key)
    const { promise, resolve } = Promise.withResolvers<void>()
    house.openai.next({ hold: { afterFrames: 1, until: promise } })
    await send(talk, create('Slow', { stream_id: 'one' }))
    await talk.until('response.created')
    await send(talk, create('Quick', { stream_id: 'two' }))
    expect(await talk.until('error')).toMatchObject({ status: 429, stream_id: 'two' })
    resolve()
    await talk.until('response.completed')
    await expectWorking(talk)
  })

  test('words that are not allowed, also in what was said before', async () => {
    const talk = house.connect(key)
    const { id } = await ask(talk, create('forbidden fruit', { generate: false }))
    await expectRefused(talk, create('Eat it', { previous_response_id: id }), {
      status: 400,
      error: { code: 'sensitive_words_detected' },
    })
    await expectWorking(talk)
  })

  test('who cannot pay', async () => {
    const { token, userId } = await house.addCaller({}, 0)
    const talk = house.connect(token.key)
    await expectRefused(talk, create('Please'), { status: 403, error: { code: 'insufficient_user_quota' } })
    expect(await house.chargesOf(userId)).toEqual([])
  })
})

test('a kept answer is given again, at its share', async () => {
  const { userId, token } = await house.addCaller()
  const headers = { authorization: `Bearer ${token.key}`, 'x-tollgate-cache': 'on' }
  const first = await ask(house.connect('', { headers }), create('Same again'))
  const asked = house.openai.requests.length
  const second = await ask(house.connect('', { headers }), create('Same again'))
  expect(house.openai.requests.length).toBe(asked)
  expect(second.response).toEqual(first.response)
  const [whole = 0, part = 0] = await house.chargesOf(userId)
  expect(whole).toBeGreaterThan(part)
  expect(part).toBeGreaterThan(0)
})

test('turns wait for one another, and too many are refused', async () => {
  const talk = house.connect(key)
  const { promise, resolve } = Promise.withResolvers<void>()
  house.openai.next({ hold: { afterFrames: 1, until: promise } })
  const said = Array.from({ length: 34 }, (_, at) => `Turn ${at}`)
  await send(talk, create('Turn 0'))
  await talk.until('response.created')
  for (const text of said.slice(1)) await send(talk, create(text))
  expect(await talk.until('error')).toMatchObject({ status: 429 })
  resolve()
  for (const text of said.slice(0, -1)) {
    const { response } = await talk.until('response.completed')
    expect(saidIn(asObject(response) ?? {})).toContain(`You said: ${text}`)
  }
  await expectWorking(talk)
})

describe('steering', () => {
  test.each([
    ['of a response that is none', { previous_response_id: 'resp_x', input: 'x' }, 'response_not_found'],
    ['without input', { previous_response_id: 'resp_x' }, 'invalid_input'],
    ['with nothing', { previous_response_id: 'resp_x', input: '' }, 'invalid_input'],
    ['of nothing', { input: 'x' }, 'invalid_input'],
    ['with a lane', { previous_response_id: 'resp_x', input: 'x', stream_id: 'a' }, 'invalid_input'],
    [
      'with another’s words',
      { previous_response_id: 'resp_x', input: [{ role: 'assistant', content: 'x' }] },
      'invalid_input',
    ],
  ])('%s', async (_name, steer, code) => {
    const talk = house.connect(key)
    await send(talk, { type: 'response.steer', ...steer })
    expect(await talk.next()).toMatchObject({
      type: 'response.steer.failed',
      sequence_number: expect.any(Number),
      error: { type: 'invalid_request_error', code },
    })
    await expectWorking(talk)
  })

  test('with more than a socket keeps for later, however it is divided', async () => {
    const talk = house.connect(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    house.openai.next({ hold: { afterFrames: 4, until: promise } })
    await send(talk, create('Begin'))
    const { response } = await talk.until('response.created')
    const steer = { type: 'response.steer', previous_response_id: String(asObject(response)?.id) }
    const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024)
    await send(talk, { ...steer, input: megabytes(17) })
    const tooLong = { error: { code: 'too_many_pending_steers' } }
    expect(await talk.until('response.steer.failed')).toMatchObject(tooLong)
    await send(talk, { ...steer, input: megabytes(9) })
    await talk.until('response.steer.accepted')
    await send(talk, { ...steer, input: megabytes(8) })
    expect(await talk.until('response.steer.failed')).toMatchObject(tooLong)
    talk.socket.terminate()
    resolve()
  })

  test('of a response that fails gives back what was added', async () => {
    const talk = house.connect(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    house.openai.next({ errorAfterFrames: 4, hold: { afterFrames: 4, until: promise } })
    await send(talk, create('Begin'))
    const { response } = await talk.until('response.created')
    const previous_response_id = String(asObject(response)?.id)
    await send(talk, { type: 'response.steer', previous_response_id, input: 'More' })
    const { steer } = await talk.until('response.steer.accepted')
    resolve()
    await talk.until('response.failed')
    expect(await talk.until('response.steer.failed')).toMatchObject({
      error: { code: 'response_not_active' },
      steer: { ...asObject(steer), input: 'More' },
    })
    await expectWorking(talk)
  })
})
