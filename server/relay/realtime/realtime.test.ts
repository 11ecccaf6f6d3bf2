import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '../../../test/program.ts'
import { type House, MODEL, openHouse, socketHeaders } from '../../../test/realtime/house.ts'
import {
  answerWhole,
  COST,
  done,
  type Ear,
  NO,
  type Refusal,
  say,
  startLoopback,
  USAGE,
} from '../../../test/realtime/upstream.ts'
import { asText } from '../../dialects/json.ts'
import { endRealtime } from './realtime-session.ts'

const PLENTY = 10_000_000

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

function startUpstream(hear?: Ear, refusal?: Refusal) {
  const upstream = startLoopback(hear, refusal)
  ending.push(() => upstream.stop())
  return upstream
}

async function start(quota: number, hear?: Ear) {
  const upstream = startUpstream(hear)
  const house = await open(quota)
  await house.addChannel(upstream.url, { setting: '{"cost_ratio":0.5}' })
  return { upstream, house }
}

async function open(quota: number): Promise<House> {
  const house = await openHouse(quota)
  ending.push(() => house.close())
  return house
}

async function expectCharge(house: House, charge: number, quota: number): Promise<void> {
  await house.settled()
  expect(await house.user()).toEqual({ quota: quota - charge, used_quota: charge, request_count: 1 })
  expect(await house.holds()).toEqual([expect.objectContaining({ state: 'settled', charge })])
  expect(await house.logs()).toEqual([expect.objectContaining({ type: 2, quota: charge, model_name: MODEL })])
}

async function expectNothing(house: House, quota: number): Promise<void> {
  await house.settled()
  expect(await house.user()).toEqual({ quota, used_quota: 0, request_count: 0 })
  expect(await house.holds()).toEqual([expect.objectContaining({ state: 'released' })])
}

describe('a session', () => {
  test('passes frames both ways and charges what was used, once', async () => {
    const { house, upstream } = await start(PLENTY)
    const protocols = [`openai-insecure-api-key.sk-${house.key}`, 'realtime', 'openai-beta.realtime-v1']
    const talk = house.talk({ protocols, headers: {} })
    expect((await talk.next())?.type).toBe('session.created')
    expect(talk.socket.protocol).toBe('realtime')
    const [request] = upstream.requests
    expect(request?.headers.get('authorization')).toBe('Bearer sk-upstream-key')
    expect(request?.headers.get('openai-beta')).toBe('realtime=v1')
    expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain(house.key)
    expect(request?.url).toEndWith(`/v1/realtime?model=${MODEL}`)

    talk.say({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    talk.socket.send(Buffer.from('bytes'))
    expect(await talk.next()).toEqual({ raw: 'bytes' })
    for (const turn of [1, 2]) {
      talk.say({ type: 'response.create', turn })
      for (const type of ['response.created', 'response.output_text.delta', 'response.done'])
        expect((await talk.next())?.type).toBe(type)
      // What was told is on disk.
      const [hold] = await house.holds()
      expect(hold?.checkpoint).toBe(turn === 1 ? COST : 6854)
      expect((await talk.next())?.type).toBe('rate_limits.updated')
    }
    expect(upstream.heard.map(event => event.type)).toEqual([
      'input_audio_buffer.append',
      'response.create',
      'response.create',
    ])
    talk.socket.close(4001, 'enough')
    expect(await talk.closed).toMatchObject({ code: 4001 })
    await expectCharge(house, 6854, PLENTY)
    const [row] = await house.logs()
    expect(row).toMatchObject({ prompt_tokens: 264, completion_tokens: 242, is_stream: 1, cost: 3427 })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      ws: true,
      audio: true,
      text_output: 60,
      audio_output: 182,
    })
    await until(() => upstream.closes.length > 0)
    expect(upstream.closes).toEqual([4001])
  })

  test('is not long for being many responses', async () => {
    const { house } = await start(PLENTY)
    await house.set('LongInputRatio', JSON.stringify({ [MODEL]: 2 }))
    const most = { ...USAGE, input_tokens: 120_000, input_token_details: { text_tokens: 120_000 } }
    const upstream = startUpstream((socket, event) => {
      if (event.type === 'response.create') say(socket, { type: 'response.done', response: { usage: most } })
    })
    await house.addChannel(upstream.url, { priority: 1 })
    const talk = house.talk()
    await talk.until('session.created')
    for (const _turn of [1, 2]) {
      talk.say({ type: 'response.create' })
      await talk.until('response.done')
    }
    talk.socket.close()
    // Twice 120,000 × 2 + 30 × 8 + 91 × 32.
    await expectCharge(house, 2 * 243_152, PLENTY)
    const [row] = await house.logs()
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ ws: true, text_input: 240_000, audio_input: 0 })
  })

  test('without use costs nothing', async () => {
    const { house } = await start(PLENTY)
    const talk = house.talk()
    await talk.until('session.created')
    talk.socket.close()
    await expectNothing(house, PLENTY)
  })

  test('shows no response as done before its charge is on disk', async () => {
    const { house } = await start(PLENTY)
    const talk = house.talk()
    await talk.until('session.created')
    const other = new Database(house.databaseFile)
    other.exec('begin immediate')
    talk.say({ type: 'response.create' })
    await talk.until('response.output_text.delta')
    await Bun.sleep(100)
    // This is answered from our side: nothing of the upstream's has come before it.
    talk.say({ type: 'session.update', session: { model: 'gpt-9' } })
    expect((await talk.next())?.type).toBe('error')
    other.exec('rollback')
    other.close()
    expect((await talk.next())?.type).toBe('response.done')
    expect((await talk.next())?.type).toBe('rate_limits.updated')
  })

  test('does not leave the model it is paid for', async () => {
    const { house, upstream } = await start(PLENTY)
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'session.update', event_id: 'mine', session: { model: 'gpt-9' } })
    const { error } = await talk.until('error')
    expect(error).toMatchObject({ code: 'model_not_allowed', event_id: 'mine' })
    talk.say({ type: 'session.update', session: { model: MODEL } })
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    expect(upstream.heard.map(event => event.session)).toEqual([{ model: MODEL }, undefined])
  })

  test('hides what an upstream says of its operator', async () => {
    const { house } = await start(PLENTY, socket =>
      say(socket, {
        type: 'error',
        error: { message: 'key sk-upstream-key of org-abcdefghijklmnop is slow' },
      }),
    )
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const text = JSON.stringify(await talk.until('error'))
    expect(text).toContain('is slow')
    expect(text).not.toContain('sk-upstream-key')
    expect(text).not.toContain('org-abc')
  })
})

describe('an end', () => {
  test('by the upstream reaches the client with its code, after the charge', async () => {
    const { house } = await start(PLENTY, socket => {
      say(socket, done)
      socket.close(4002, 'session expired')
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    expect(await talk.closed).toEqual({ code: 4002, reason: 'session expired' })
    await expectCharge(house, COST, PLENTY)
  })

  test('of the line to the upstream is an error for the client, and what was heard is charged', async () => {
    const { house } = await start(PLENTY, socket => {
      say(socket, { type: 'response.output_text.delta', delta: 'Hello world' })
      socket.terminate()
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    expect((await talk.until('error')).error).toMatchObject({ code: 'upstream_interrupted' })
    expect(await talk.closed).toMatchObject({ code: 1011 })
    // Two tokens of text.
    await expectCharge(house, 16, PLENTY)
    const [row] = await house.logs()
    expect(row?.content).toStartWith('The upstream broke off before the answer was complete')
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ broke_off: 'cut' })
  })

  test('by the client in the middle of a response charges what the upstream then reports', async () => {
    const { house, upstream } = await start(PLENTY, (socket, event) => {
      if (event.type === 'response.create')
        say(socket, { type: 'response.output_text.delta', delta: 'Hello world' })
      if (event.type === 'response.cancel') say(socket, done)
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    await talk.until('response.output_text.delta')
    talk.socket.terminate()
    await expectCharge(house, COST, PLENTY)
    expect(upstream.heard.map(event => asText(event.type))).toEqual(['response.create', 'response.cancel'])
  })

  test('by the client in the middle of a response that stays silent charges what was heard', async () => {
    const sound = Buffer.alloc(4800).toString('base64')
    const { house } = await start(PLENTY, (socket, event) => {
      if (event.type === 'response.create') say(socket, { type: 'response.output_audio.delta', delta: sound })
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    await talk.until('response.output_audio.delta')
    talk.socket.close()
    // Two tokens of sound.
    await expectCharge(house, 64, PLENTY)
  })

  test('comes to a client that takes nothing, before it fills our memory', async () => {
    const piece = JSON.stringify({ type: 'response.output_text.done', text: 'x'.repeat(500_000) })
    const { house, upstream } = await start(PLENTY, socket => {
      for (let at = 0; at < 100; at++) socket.send(piece)
    })
    const [host = '', port = ''] = house.url.split('/')[0]?.split(':') ?? []
    const socket = connect(Number(port), host)
    ending.push(() => socket.destroy())
    const headers = Object.entries({ ...socketHeaders, host: 'x', authorization: `Bearer ${house.key}` })
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`GET /v1/realtime?model=${MODEL} HTTP/1.1\r\n${lines}\r\n`)
    await once(socket, 'data')
    socket.pause()
    // A masked frame whose mask is zero: `{}`.
    socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]))
    await until(() => upstream.closes.length > 0)
    expect(upstream.closes).toEqual([1013])
    await expectNothing(house, PLENTY)
  })

  test('of the quota ends the session when its last response is paid', async () => {
    const quota = 8500
    const { house, upstream } = await start(quota)
    const talk = house.talk()
    await talk.until('session.created')
    for (const _turn of [1, 2, 3]) {
      talk.say({ type: 'response.create' })
      await talk.until('response.done')
    }
    expect((await talk.until('error')).error).toMatchObject({ code: 'insufficient_user_quota' })
    expect(await house.user()).toMatchObject({ quota: 0 })
    expect(await talk.closed).toMatchObject({ code: 1008 })
    await expectCharge(house, quota, quota)
    await until(() => upstream.closes.length > 0)
    expect(upstream.closes).toEqual([1008])
  })

  test('of the worker settles and says so', async () => {
    const { house } = await start(PLENTY)
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    await endRealtime()
    expect(house.parts.live.size).toBe(0)
    await expectCharge(house, COST, PLENTY)
    expect(await talk.closed).toMatchObject({ code: 1001 })
  })
})

describe('no session', () => {
  test.each([
    [503, 503, 'refused the connection with status 503'],
    [400, 400, 'key *** at *** may not talk'],
    [403, 403, 'key *** at *** may not talk'],
    [401, 502, ''],
    [429, 429, ''],
  ])(
    'an upstream that refuses with %i is an HTTP %i, and nothing stays held',
    async (refusal, status, words) => {
      const upstream = startUpstream(answerWhole, refusal)
      const house = await open(PLENTY)
      await house.addChannel(upstream.url)
      const answer = await house.ask(socketHeaders)
      expect(answer.status).toBe(status)
      expect(answer.body.error).toMatchObject({ message: expect.stringContaining(words) })
      expect(JSON.stringify(answer.body)).not.toContain('127.0.0.1')
      expect(JSON.stringify(answer.body)).not.toContain('sk-upstream-key')
      await expectNothing(house, PLENTY)
    },
  )

  test('what an upstream says of something else is not taken for its reason', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ headers }) => Response.json(NO, { status: headers.has('upgrade') ? 403 : 404 }),
    })
    ending.push(() => server.stop(true))
    const house = await open(PLENTY)
    await house.addChannel(`http://127.0.0.1:${server.port}`)
    const { status, body } = await house.ask(socketHeaders)
    expect(status).toBe(403)
    expect(body.error).toMatchObject({ message: expect.stringContaining('with status 403') })
    await expectNothing(house, PLENTY)
  })

  test('an upstream that does not answer is given up, and so is a client that does not wait', async () => {
    const silent = startUpstream(answerWhole, 'silence')
    const house = await open(PLENTY)
    await house.addChannel(silent.url)
    const leaving = house.talk()
    await until(() => silent.requests.length > 0)
    leaving.socket.terminate()
    await until(async () => (await house.logs()).length > 0)
    await expectNothing(house, PLENTY)
    await house.set('UpstreamFirstByteSeconds', '1')
    expect(await house.ask(socketHeaders)).toMatchObject({ status: 504 })
    expect(await house.user()).toMatchObject({ quota: PLENTY })
  })

  test('where the group is open, the one that answers is paid', async () => {
    const refusing = startUpstream(answerWhole, 500)
    const house = await open(PLENTY)
    const upstream = startUpstream()
    await house.addChannel(refusing.url)
    await house.addChannel(upstream.url, { group: 'vip' })
    await house.set('RetryTimes', '1')
    await house.set('AutoGroups', '["default","vip"]')
    await house.set('GroupRatio', '{"default":1,"vip":3}')
    await house.set('GroupGroupRatio', '{"default":{"vip":2}}')
    await house.parts.store.db.updateTable('tokens').set({ group: 'auto' }).execute()
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    // 3426.8 × 2, rounded once.
    expect(await house.holds()).toEqual([{ state: 'open', checkpoint: 6854, charge: 0 }])
    talk.socket.close()
    await expectCharge(house, 6854, PLENTY)
    expect(await house.logs()).toEqual([expect.objectContaining({ group: 'vip' })])
  })

  test('while one upstream refuses, another is asked', async () => {
    const refusing = startUpstream(answerWhole, 500)
    const house = await open(PLENTY)
    const upstream = startUpstream()
    await house.addChannel(refusing.url, { priority: 1 })
    await house.addChannel(upstream.url, { model_mapping: `{"${MODEL}":"theirs"}` })
    await house.set('RetryTimes', '1')
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'session.update', session: { model: MODEL } })
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    expect(refusing.requests).toHaveLength(1)
    expect(upstream.requests[0]?.url).toEndWith('?model=theirs')
    expect(upstream.heard[0]?.session).toEqual({ model: 'theirs' })
    talk.socket.close()
    await expectCharge(house, COST, PLENTY)
  })

  test('a request that is no handshake, names no model or cannot pay is refused before any upstream', async () => {
    const { house, upstream } = await start(100)
    expect(await house.ask({})).toMatchObject({ status: 426 })
    expect(await house.ask(socketHeaders, '')).toMatchObject({ status: 400 })
    expect(await house.ask(socketHeaders, '?model=unpriced')).toMatchObject({ status: 400 })
    const { status, body } = await house.ask(socketHeaders)
    expect(status).toBe(403)
    expect(body.error).toMatchObject({ code: 'insufficient_user_quota' })
    expect(upstream.requests).toHaveLength(0)
    expect(await house.user()).toMatchObject({ quota: 100 })
    expect(house.parts.live.size).toBe(0)
  })
})
