import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { catchError, statusOf } from '../../sdk/sdk-errors.ts'
import { problemIn, requestIdOf, ways } from '../ways.ts'
import { costAt, type FallbackHouse, modelOf, openFallbackHouse, standIns } from './fallback-house.ts'

const { openai: GPT, anthropic: CLAUDE, gemini: GEMINI } = standIns

let house: FallbackHouse
let key = ''
let userId = 0

/** None of what the gateway is told reaches a vendor, who would refuse it. */
const sent = () =>
  [house.down, ...Object.values(house.at)].flatMap(fake => fake.requests.map(({ text }) => text))

beforeAll(async () => {
  house = await openFallbackHouse({
    fallbacks: { '*': [GPT.model] },
    priced: ['down-own', 'down-many', 'small-own', 'strict-own', 'f-other', 'down-embed'],
    options: { RetryTimes: '2' },
    async seed({ rig, channel }) {
      userId = await rig.addUser()
      ;({ key } = await rig.addToken({ userId }))
      await channel('openai', ['down-own', 'small-own', 'strict-own', 'f-other', 'f-unpriced'])
      for (let at = 0; at < 4; at++) await channel('openai', ['down-many', 'down-embed'])
    },
  })
  const { openai } = house.at
  openai.always(seen => {
    const [kind] = (modelOf(seen) ?? '').split('-')
    if (kind === 'small') return openai.failWith('too-long')
    // Refused by its filter is no failure that a channel rests for, and neither is a lack of the thing asked for.
    if (kind === 'down') return openai.failWith('not-found')
    return kind === 'strict' ? openai.failWith('filtered') : {}
  })
})
afterAll(async () => {
  expect(sent().filter(text => /fallbacks|num_retries/.test(text))).toEqual([])
  expect(await house.close()).toEqual([])
})

const served = async (more: object, asking: object = {}, model = 'down-own') => {
  const { status, row } = await house.call(model, { key, more: { ...more }, ...asking })
  return status === 200 ? row.model_name : status
}

describe('disable_fallbacks', () => {
  test.each(ways)('$name', async way => {
    for (const stream of [false, true]) {
      const refused = await house.call('down-own', { key, way, stream, more: { disable_fallbacks: true } })
      expect([refused.status, refused.row.model_name, refused.charge]).toEqual([404, 'down-own', undefined])
      expect(problemIn(way, refused.text)).toBeDefined()
      for (const disable_fallbacks of [false, null])
        expect(await served({ disable_fallbacks }, { way, stream })).toBe(GPT.model)
    }
  })

  test('a model that nobody has is refused, and so are names for it', async () => {
    expect(await served({}, {}, 'nowhere')).toBe(GPT.model)
    expect(await served({ disable_fallbacks: true }, {}, 'nowhere')).toBe(503)
    expect(await served({ disable_fallbacks: true, fallbacks: [CLAUDE.model] }, {}, 'nowhere')).toBe(503)
  })
})

describe('fallbacks of the caller’s own', () => {
  test.each(ways)('are asked instead of the operator’s: $name', async way => {
    for (const stream of [false, true]) {
      const fallbacks = ['no-such-model', CLAUDE.model]
      const { status, headers, text, row, charge } = await house.call('down-own', {
        ...{ key, way, stream, more: { fallbacks } },
      })
      expect([status, row.model_name, charge]).toEqual([200, CLAUDE.model, costAt(house, 'anthropic')])
      expect([row.details.asked_model, headers.get('x-tollgate-model')]).toEqual(['down-own', CLAUDE.model])
      if (stream) expect(text).toMatch(way.endMark)
    }
  })

  test.each(['down-own', 'small-own', 'strict-own', 'nowhere'])('whatever %s cannot do', async model => {
    expect(await served({ fallbacks: [GEMINI.model] }, { stream: true }, model)).toBe(GEMINI.model)
  })

  test.each([
    ['a list of names', [CLAUDE.model], CLAUDE.model],
    ['one name', CLAUDE.model, CLAUDE.model],
    ['names in objects', [{ model: CLAUDE.model }], CLAUDE.model],
    ['lists by the model', [{ 'f-other': [GEMINI.model] }, { 'down-own': [CLAUDE.model] }], CLAUDE.model],
    ['lists by the model, in one', { 'f-other': [GEMINI.model], 'down-own': [CLAUDE.model] }, CLAUDE.model],
    ['a list for all models', [{ '*': [GEMINI.model] }], GEMINI.model],
    ['lists for others', [{ 'f-other': [GEMINI.model] }], GPT.model],
    ['nothing', null, GPT.model],
    ['none', [], 404],
    ['itself', ['down-own'], 404],
    ['what has no price, and what the operator would name', ['f-unpriced', GPT.model], GPT.model],
    ['the same twice', ['down-own', 'down-own', 'a', 'b', GEMINI.model], GEMINI.model],
  ])('%s', async (_name, fallbacks, model) => {
    expect(await served({ fallbacks })).toBe(model)
  })

  test('a token’s models are the only ones', async () => {
    const token = await house.rig.addToken({ userId, models: ['down-own', 'nowhere', GEMINI.model] })
    const as = { key: token.key }
    expect(await served({ fallbacks: [CLAUDE.model] }, as)).toBe(404)
    expect(await served({ fallbacks: [CLAUDE.model, GEMINI.model] }, as)).toBe(GEMINI.model)
    expect(await served({ fallbacks: [CLAUDE.model] }, as, 'nowhere')).toBe(503)
  })

  test('who cannot pay for them pays nothing', async () => {
    const id = await house.rig.addUser({ quota: 60 })
    const poor = await house.rig.addToken({ userId: id })
    expect(await served({ fallbacks: [CLAUDE.model] }, { key: poor.key })).toBe(404)
    expect(await house.rig.balance(id)).toBe(60)
  })

  test('vectors have none', async () => {
    const response = await fetch(`${house.rig.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'down-embed', input: 'a', fallbacks: ['f-other'], num_retries: 1 }),
    })
    await response.text()
    const row = await house.rig.logOf(requestIdOf(response))
    expect([response.status, row.model_name]).toEqual([404, 'down-embed'])
    expect(house.asked('openai', 'down-embed')).toBe(2)
  })
})

describe('num_retries', () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [9, 3],
    [null, 3],
  ])('%p: %p channels are asked', async (num_retries, channels) => {
    const before = house.asked('openai', 'down-many')
    expect(await served({ num_retries, disable_fallbacks: true }, {}, 'down-many')).toBe(404)
    expect(house.asked('openai', 'down-many')).toBe(before + channels)
  })

  test('each of its own fallbacks is asked as often', async () => {
    const before = house.asked('openai', 'down-many')
    expect(await served({ num_retries: 0, fallbacks: ['down-many', CLAUDE.model] })).toBe(CLAUDE.model)
    expect(house.asked('openai', 'down-many')).toBe(before + 1)
  })
})

describe('what is not meant so is refused, and nobody asked', () => {
  const wrong = [
    ['disable_fallbacks', 'yes'],
    ['disable_fallbacks', 1],
    ['fallbacks', 5],
    ['fallbacks', [5]],
    ['fallbacks', [GPT.model, { model: CLAUDE.model, messages: [] }]],
    ['fallbacks', [{ 'down-own': CLAUDE.model }]],
    ['fallbacks', [{ 'down-own': [[CLAUDE.model]] }]],
    ['fallbacks', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['fallbacks', { 'f-other': ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['num_retries', -1],
    ['num_retries', 0.5],
    ['num_retries', '2'],
  ] as const
  test.each(wrong)('%s = %j', async (field, value) => {
    const before = sent().length
    for (const way of ways) {
      const refused = await fetch(house.rig.url + way.path('f-other', false), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...way.body('f-other', 'hi', false), [field]: value }),
      })
      expect(refused.status).toBe(400)
      expect(problemIn(way, await refused.text())?.message).toContain(field)
    }
    expect(sent().length).toBe(before)
  })
})

describe('the vendors’ own clients, with what LiteLLM would be told', () => {
  const messages = [{ role: 'user' as const, content: 'Good morning' }]

  test('OpenAI', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${house.rig.url}/v1`, maxRetries: 0 })
    const extra = { fallbacks: [CLAUDE.model], num_retries: 1 }
    const { data, response } = await client.chat.completions
      .create({ model: 'small-own', messages, ...extra })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('You said: Good morning')
    expect(response.headers.get('x-tollgate-model')).toBe(CLAUDE.model)
    expect(await house.rig.chargeOf(requestIdOf(response))).toBe(costAt(house, 'anthropic'))
    const whole = await client.responses.create({ model: 'small-own', input: 'Good morning', ...extra })
    expect(whole.output_text).toBe('You said: Good morning')
    const off = { model: 'small-own', messages, disable_fallbacks: true }
    const refused = await catchError(client.chat.completions.create(off))
    expect([statusOf(refused), (refused as { code?: string }).code]).toEqual([400, 'context_length_exceeded'])
  })

  test('Anthropic', async () => {
    const client = new Anthropic({ apiKey: key, baseURL: house.rig.url, maxRetries: 0 })
    const asked = { model: 'strict-own', max_tokens: 100, messages }
    const stream = client.messages.stream({
      ...asked,
      fallbacks: [{ 'strict-own': [GEMINI.model] }],
    } as never)
    expect(await stream.finalText()).toBe('You said: Good morning')
    const off = { ...asked, disable_fallbacks: true }
    expect(statusOf(await catchError(client.messages.create(off)))).toBe(400)
  })
})
