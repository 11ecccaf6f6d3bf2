import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asText } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { anthropic, ask, chat, gemini, problemIn, readStream, requestIdOf, responses, ways } from '../ways.ts'
import {
  costAt,
  type FallbackHouse,
  modelOf,
  openFallbackHouse,
  standIns,
  vendors,
} from './fallback-house.ts'

const { openai: GPT, anthropic: CLAUDE, gemini: GEMINI } = standIns

/** What refuses, and whose model takes it instead. */
const others = { openai: 'anthropic', anthropic: 'gemini', gemini: 'openai' } as const
const cases = ways.flatMap(way =>
  vendors.flatMap(vendor => [false, true].map(stream => ({ name: way.name, way, vendor, stream }))),
)
const limited = { max_tokens: 100 }

let house: FallbackHouse
let key = ''
let userId = 0

beforeAll(async () => {
  const larger = {
    ...Object.fromEntries(vendors.map(vendor => [`small-${vendor}`, [standIns[others[vendor]].model]])),
    'small-none': [],
    'small-circle': ['small-circle-2'],
    'small-circle-2': ['small-circle'],
    'small-second': ['small-openai', 'down-larger', 'no-such-channel', 'f-unpriced', GEMINI.model],
    'small-all': ['small-openai', 'down-larger'],
    'small-told': ['strict-gemini', GPT.model],
    'small-stored': [GPT.model],
    'small-legacy': ['f-legacy'],
    'small-by-call': ['f-by-call'],
    'small-embed': ['f-embed'],
    '*': [CLAUDE.model],
  }
  const smalls = Object.keys(larger).filter(model => model.startsWith('small'))
  const milder = {
    ...Object.fromEntries(vendors.map(vendor => [`strict-${vendor}`, [standIns[others[vendor]].model]])),
    'strict-all': ['strict-openai', GEMINI.model],
  }
  const strict = [...Object.keys(milder), 'strict-none']
  house = await openFallbackHouse({
    fallbacks: { 'down-then-small': ['small-openai', GEMINI.model], 'small-none': [GPT.model] },
    priced: [
      ...smalls,
      ...strict,
      ...['small-any', 'down-larger', 'down-then-small', 'f-legacy', 'f-embed', 'f-small-in-stream'],
    ],
    options: {
      ContextWindowFallbacks: JSON.stringify(larger),
      ContentPolicyFallbacks: JSON.stringify(milder),
      RetryTimes: '2',
      ModelPrice: '{"f-by-call":1}',
    },
    async seed({ rig, channel }) {
      userId = await rig.addUser()
      ;({ key } = await rig.addToken({ userId }))
      const vendorOf = (model: string) => vendors.find(vendor => model.endsWith(vendor)) ?? 'openai'
      // Two channels each: another of the same model is not asked the same.
      for (const model of [...smalls, ...strict, 'small-any'])
        for (let at = 0; at < 2; at++) await channel(vendorOf(model), [model])
      await channel('down', ['down-larger', 'down-then-small'])
      await channel('openai', ['f-unpriced', 'f-legacy', 'f-by-call', 'f-embed', 'f-small-in-stream'])
    },
  })
  for (const vendor of vendors) {
    const fake = house.at[vendor]
    fake.always(seen => {
      const model = modelOf(seen) ?? ''
      if (model.startsWith('small')) return fake.failWith('too-long')
      return model.startsWith('strict') ? fake.failWith('filtered') : {}
    })
  }
})
afterAll(async () => expect(await house.close()).toEqual([]))

describe('a request that is too long is taken by a larger model', () => {
  test.each(cases)('$name, refused by $vendor (streamed: $stream)', async ({ way, vendor, stream }) => {
    const model = `small-${vendor}`
    const before = await house.rig.balance(userId)
    const asked = house.asked(vendor, model)
    const { status, headers, text, row, charge } = await house.call(model, { key, way, stream })
    const other = others[vendor]
    const cost = costAt(house, other)
    expect([status, charge, row.quota]).toEqual([200, cost, cost])
    expect(await house.rig.balance(userId)).toBe(before - cost)
    if (stream) expect(text).toMatch(way.endMark)
    expect(text).toContain(JSON.stringify(standIns[other].model))
    expect(headers.get('x-tollgate-model')).toBe(standIns[other].model)
    expect(row).toMatchObject({
      ...{ type: 2, model_name: standIns[other].model, details: { asked_model: model } },
    })
    expect(house.asked(vendor, model)).toBe(asked + 1)
  })

  test('whichever it is, where only the star has one', async () => {
    const { row, charge } = await house.call('small-any', { key })
    expect([row.model_name, charge]).toEqual([CLAUDE.model, costAt(house, 'anthropic')])
  })

  test('the next where one is too small as well, cannot be had or has no price', async () => {
    const { row, charge } = await house.call('small-second', { key, stream: true })
    expect([row.model_name, charge]).toEqual([GEMINI.model, costAt(house, 'gemini')])
    expect((row.details.admin_info as { use_channel: string[] }).use_channel).toHaveLength(4)
    expect(house.asked('openai', 'f-unpriced')).toBe(0)
  })

  test('also where it is one that stands in that is too small', async () => {
    const { row } = await house.call('down-then-small', { key })
    expect([row.model_name, row.details.asked_model]).toEqual([GEMINI.model, 'down-then-small'])
  })
})

describe('who is told that it is too long, in its own words', () => {
  test.each(ways)('a token that may not use the larger one: $name', async way => {
    const token = await house.rig.addToken({ userId, models: ['small-openai'] })
    for (const stream of [false, true]) {
      const refused = await house.call('small-openai', { key: token.key, way, stream })
      const { type, model_name } = refused.row
      expect([refused.status, type, model_name, refused.charge]).toEqual([400, 5, 'small-openai', undefined])
      expect(problemIn(way, refused.text)?.message).toContain('maximum context length is 128000 tokens')
      expect(refused.headers.get('x-tollgate-model')).toBeNull()
    }
  })

  test('who has no list, whatever there is for a model that cannot be had', async () => {
    const { status, row, charge } = await house.call('small-none', { key })
    expect([status, row.model_name, charge]).toEqual([400, 'small-none', undefined])
  })

  test('who goes in a circle, once around', async () => {
    const { status, text, row } = await house.call('small-circle', { key })
    expect([status, row.model_name, problemIn(chat, text)?.code]).toEqual([
      ...[400, 'small-circle', 'context_length_exceeded'],
    ])
    expect(['small-circle', 'small-circle-2'].map(model => house.asked('openai', model))).toEqual([1, 1])
  })

  test.each([false, true])('who finds none that can (streamed: %p)', async stream => {
    const { status, text, row, charge } = await house.call('small-all', { key, stream, way: anthropic })
    expect([status, row.type, row.model_name, charge]).toEqual([400, 5, 'small-all', undefined])
    expect(problemIn(anthropic, text)?.type).toBe('invalid_request_error')
  })

  test('who wants no other model', async () => {
    const headers = { 'x-tollgate-fallbacks': 'off' }
    expect((await house.call('small-openai', { key, headers })).status).toBe(400)
    const more = { disable_fallbacks: true }
    expect((await house.call('small-openai', { key, more })).status).toBe(400)
  })

  test('who asks for a channel by its number', async () => {
    const admin = await house.rig.addUser({ role: 10 })
    const { key } = await house.rig.addToken({ userId: admin })
    const id = await house.channel('openai', ['small-openai'])
    await until(async () => (await house.call('small-openai', { key: `${key}-${id}` })).status === 400)
  })

  test('and what a larger one refuses otherwise is told', async () => {
    const { status, row, charge, text } = await house.call('small-told', { key, way: gemini })
    expect([status, row.model_name, charge]).toEqual([400, 'strict-gemini', undefined])
    expect(problemIn(gemini, text)?.message).toContain('The prompt was blocked')
  })
})

describe('money', () => {
  const walletOf = async (quota: number) => {
    const id = await house.rig.addUser({ quota })
    return { id, key: (await house.rig.addToken({ userId: id })).key }
  }

  test.each([false, true])('who cannot pay for the larger one keeps it all (streamed: %p)', async stream => {
    const wallet = await walletOf(100_000)
    const { status, row, charge } = await house.call('small-by-call', { key: wallet.key, stream })
    expect([status, row.model_name, charge]).toEqual([400, 'small-by-call', undefined])
    expect(await house.rig.balance(wallet.id)).toBe(100_000)
    const rich = await walletOf(3_000_000)
    const paid = await house.call('small-by-call', { key: rich.key, stream, more: limited })
    expect([paid.row.model_name, paid.charge]).toEqual(['f-by-call', 500_000])
    expect(await house.rig.balance(rich.id)).toBe(2_500_000)
  })

  test('many at once spend no more than there is', async () => {
    const wallet = await walletOf(3000)
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const asking = { key: wallet.key, model: 'small-openai', stream: at % 2 === 0 }
        const response = await ask(house.rig.url, chat, asking)
        await readStream(response)
        return requestIdOf(response)
      }),
    )
    const charges = await Promise.all(answers.map(id => house.rig.chargeOf(id)))
    const spent = charges.reduce<number>((sum, charge) => sum + (charge ?? 0), 0)
    expect(spent).toBeGreaterThan(0)
    expect(await house.rig.balance(wallet.id)).toBe(3000 - spent)
  })
})

describe('what a vendor’s filter refuses', () => {
  test.each(cases)('$name, refused by $vendor (streamed: $stream)', async ({ way, vendor, stream }) => {
    const { status, row, charge } = await house.call(`strict-${vendor}`, { key, way, stream })
    const other = others[vendor]
    const cost = costAt(house, other)
    expect([status, row.model_name, charge]).toEqual([200, standIns[other].model, cost])
  })

  test('goes on to the next that is as strict, and is told where there is none', async () => {
    expect((await house.call('strict-all', { key })).row.model_name).toBe(GEMINI.model)
    const { status, row, charge } = await house.call('strict-none', { key })
    expect([status, row.model_name, charge]).toEqual([400, 'strict-none', undefined])
  })

  test('a wrong request is told, whatever is listed', async () => {
    house.at.openai.next(house.at.openai.failWith('bad-request'))
    expect((await house.call('small-openai', { key })).status).toBe(400)
    house.at.openai.next(house.at.openai.failWith('bad-request'))
    expect((await house.call('strict-openai', { key })).status).toBe(400)
  })
})

describe('inside a stream', () => {
  const failed = (sequence: number) =>
    `event: response.failed\ndata: ${JSON.stringify({
      type: 'response.failed',
      sequence_number: sequence,
      response: {
        ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'failed', output: [], model: 'x' },
        error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
      },
    })}\n\n`

  test('before the first word a larger model begins', async () => {
    house.at.openai.next({ frames: frames => [...frames.slice(0, 2), failed(2)] })
    const asking = { key, stream: true, way: responses }
    const { status, text, row, charge } = await house.call('f-small-in-stream', asking)
    expect([status, row.model_name, charge]).toEqual([200, CLAUDE.model, costAt(house, 'anthropic')])
    expect(text).toMatch(responses.endMark)
    expect(text).not.toContain('context window')
  })

  test('after it the client is told', async () => {
    const before = house.at.anthropic.requests.length
    const { promise: until, resolve: answered } = Promise.withResolvers<void>()
    // Six frames have said something; what comes together with them would be heard before that is.
    const frames = (all: readonly string[]) => [...all.slice(0, 6), failed(6)]
    house.at.openai.next({ frames, hold: { afterFrames: 6, until } })
    const asking = { key, model: 'f-small-in-stream', stream: true }
    const response = await ask(house.rig.url, responses, asking)
    answered()
    expect((await readStream(response)).text).toMatch(responses.failMark)
    expect((await house.rig.logOf(requestIdOf(response))).model_name).toBe('f-small-in-stream')
    expect(house.at.anthropic.requests.length).toBe(before)
  })
})

describe('other calls', () => {
  const post = async (path: string, body: object) => {
    const response = await fetch(house.rig.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, text, row: await house.rig.logOf(requestIdOf(response)) }
  }

  test.each([false, true])('completions go on too (streamed: %p)', async stream => {
    const { status, row } = await post('/v1/completions', {
      ...{ prompt: 'hello', model: 'small-legacy', max_tokens: 20 },
      ...(stream && { stream }),
    })
    const { input = 0, output = 0 } = house.at.openai.served.at(-1)?.tally ?? {}
    expect([status, row.model_name, row.quota]).toEqual([200, 'f-legacy', input + output])
  })

  test('vectors are those of their model, and what is made shorter is for its own', async () => {
    expect((await post('/v1/embeddings', { input: 'a', model: 'small-embed' })).status).toBe(400)
    expect((await post('/v1/responses/compact', { input: 'a', model: 'small-stored' })).status).toBe(400)
  })

  test('what a larger model has stored is gone on with there', async () => {
    const first = await post('/v1/responses', { input: 'hello', model: 'small-stored' })
    const previous_response_id = asText((JSON.parse(first.text) as { id: string }).id)
    const asked = house.asked('openai', 'small-stored')
    const next = await post('/v1/responses', { input: 'on', model: 'small-stored', previous_response_id })
    expect([next.status, next.row.model_name, next.row.quota]).toEqual([
      ...[200, GPT.model, costAt(house, 'openai')],
    ])
    expect(house.asked('openai', 'small-stored')).toBe(asked)
  })
})
