import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, withoutUsage } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import {
  anthropic,
  ask,
  chat,
  gemini,
  readStream,
  requestIdOf,
  responses,
  vendorIn,
  type Way,
} from '../ways.ts'

// Answers and wishes that are not what they seem: nobody pays for what is none, and nobody else for anything.

let rig: Rig
let key = ''
const fakes = new Map<Way, FakeUpstream>()
const models = {
  chat: 'm-chat',
  claude: 'm-claude',
  gemini: 'm-gemini',
  custom: 'm-custom',
  tiers: 'm-tiers',
}

/** On channels of their own, which rest after so many failures. */
const failing = { chat: 'f-chat', empty: 'f-empty', claude: 'f-claude', gemini: 'f-gemini' }

beforeAll(async () => {
  for (const way of [chat, anthropic, gemini]) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    const userId = await books.addUser({ quota: 10_000_000 })
    key = (await books.addToken({ userId })).key
    const ratios = Object.fromEntries(
      [...Object.values(models), ...Object.values(failing)].map(name => [name, 1]),
    )
    await books.setOption('ModelRatio', JSON.stringify(ratios))
    await books.setOption('CompletionRatio', JSON.stringify(ratios))
    await books.setOption('RetryTimes', '0')
    const add = (way: Way, model: string, more: object = {}) => {
      const { url, key: vendorKey } = vendorOf(way)
      return books.addChannel({
        type: way.channelType,
        baseUrl: url,
        key: vendorKey,
        models: [model],
        ...more,
      })
    }
    await add(chat, models.chat)
    await add(anthropic, models.claude)
    await add(gemini, models.gemini)
    await add(chat, failing.chat)
    await add(chat, failing.empty)
    await add(anthropic, failing.claude)
    await add(gemini, failing.gemini)
    await add(chat, models.tiers, { setting: { allow_service_tier: true } })
    const custom = `${vendorOf(chat).url}/v1/chat/completions`
    await add(chat, models.custom, { type: 8, baseUrl: custom, setting: { force_format: true } })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way)

describe('a response that would come when nobody waits for it', () => {
  test('is refused by a vendor that makes none, nobody is asked for it, and the channel is as good as before', async () => {
    const asked = vendorOf(anthropic).requests.length
    for (let round = 0; round < 6; round++) {
      const answer = await ask(rig.url, responses, { key, model: models.claude, more: { background: true } })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('background')
    }
    expect(vendorOf(anthropic).requests.length).toBe(asked)
    const other = await ask(rig.url, responses, { key, model: models.claude, more: { background: false } })
    expect(other.status).toBe(200)
  })
})

describe('an answer with usage that is no answer', () => {
  const chatUsage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  const head = { id: 'c', object: 'chat.completion', created: 1, model: 'm' }
  const broken: readonly [string, Way, string, JsonObject][] = [
    [
      'broken off',
      chat,
      failing.chat,
      {
        ...head,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hal' },
            finish_reason: 'insufficient_system_resource',
          },
        ],
        usage: chatUsage,
      },
    ],
    ['without a choice', chat, failing.empty, { ...head, choices: [], usage: chatUsage }],
    [
      'without a candidate',
      gemini,
      failing.gemini,
      { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 } },
    ],
    [
      'without content',
      anthropic,
      failing.claude,
      { type: 'message', usage: { input_tokens: 10, output_tokens: 10 } },
    ],
  ]
  test.each(broken)('%s, from %s', async (_name, vendor, model, body) => {
    for (const client of [chat, anthropic, gemini]) {
      vendorOf(vendor).next({ status: 200, body })
      const answer = await ask(rig.url, client, { key, model })
      const text = await answer.text()
      expect([client.name, answer.status]).toEqual([client.name, 502])
      expect(text).not.toContain('Hal')
      expect(await rig.chargeOf(requestIdOf(answer))).toBeUndefined()
    }
  })
})

test('an answer without a word that the vendor counts is one', async () => {
  const body = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'end_turn' },
    ...{ stop_sequence: null, usage: { input_tokens: 10, output_tokens: 3 } },
  }
  for (const client of [anthropic, chat]) {
    vendorOf(anthropic).next({ status: 200, body })
    const answer = await ask(rig.url, client, { key, model: models.claude })
    expect([client.name, answer.status]).toEqual([client.name, 200])
    expect(await rig.chargeOf(requestIdOf(answer))).toBe(13)
  }
})

describe('an upstream that does not say what it used', () => {
  test.each([{ n: 2 }, { logprobs: true }])('%j: the answer goes out and is counted here', async more => {
    vendorOf(chat).next(withoutUsage)
    const answer = await ask(rig.url, chat, { key, model: models.chat, more })
    expect(answer.status).toBe(200)
    const { choices } = asObject(await answer.json()) as { choices: JsonObject[] }
    expect(choices).toHaveLength('n' in more ? 2 : 1)
    const row = await rig.logOf(requestIdOf(answer))
    expect(row.completion_tokens).toBeGreaterThan('n' in more ? 4 : 2)
    expect(row.prompt_tokens).toBeGreaterThan(0)
  })
})

describe('a channel whose streams are written anew', () => {
  test('hands plain answers on as they are, every choice', async () => {
    const answer = await ask(rig.url, chat, { key, model: models.custom, more: { n: 2 } })
    expect(answer.status).toBe(200)
    expect((asObject(await answer.json()) as { choices: JsonObject[] }).choices).toHaveLength(2)
  })

  test('and every choice of a stream', async () => {
    const answer = await ask(rig.url, chat, { key, model: models.custom, more: { n: 2 }, stream: true })
    const { text, events } = await readStream(answer)
    expect(text).toMatch(chat.endMark)
    for (const index of [0, 1])
      expect(
        events.some(({ data }) => data.includes(`"index":${index},"delta":{},"finish_reason":"stop"`)),
      ).toBe(true)
  })

  test('refuses a stream that cannot be, before anybody is asked', async () => {
    const asked = vendorOf(chat).requests.length
    const more = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }
    const answer = await ask(rig.url, chat, { key, model: models.custom, more, stream: true })
    expect(answer.status).toBe(400)
    expect(vendorOf(chat).requests.length).toBe(asked)
    const other = await ask(rig.url, chat, { key, model: models.custom, stream: true })
    expect((await readStream(other)).text).toMatch(chat.endMark)
  })
})

describe('a tier that the vendor asks more for', () => {
  const sent = async (client: Way, vendor: Way, model: string, more: JsonObject): Promise<JsonObject> => {
    expect((await ask(rig.url, client, { key, model, more })).status).toBe(200)
    return asObject(vendorOf(vendor).requests.at(-1)?.json) ?? {}
  }

  test('does not reach it, however it is asked for', async () => {
    for (const client of [chat, responses])
      expect(await sent(client, chat, models.chat, { service_tier: 'priority' })).not.toHaveProperty(
        'service_tier',
      )
    expect(await sent(gemini, chat, models.chat, { serviceTier: 'priority' })).not.toHaveProperty(
      'service_tier',
    )
    // Also by Google's own name for it, and by the number that stands for that.
    for (const tier of ['priority', 'SERVICE_TIER_PRIORITY', 3])
      for (const name of ['serviceTier', 'service_tier'])
        expect(await sent(gemini, gemini, models.gemini, { [name]: tier })).not.toHaveProperty(name)
    expect(await sent(anthropic, anthropic, models.claude, { speed: 'fast' })).not.toHaveProperty('speed')
  })

  test('does where the operator lets it, and cheaper ones always', async () => {
    const tier = { service_tier: 'priority' }
    expect(await sent(chat, chat, models.tiers, tier)).toMatchObject(tier)
    expect(await sent(anthropic, chat, models.tiers, { service_tier: 'auto' })).toHaveProperty('service_tier')
    expect(await sent(chat, chat, models.chat, { service_tier: 'flex' })).toMatchObject({
      service_tier: 'flex',
    })
  })
})

test('a Gemini limit that is given in both spellings is refused', async () => {
  const { url } = rig
  const twice: readonly JsonObject[] = [
    { generationConfig: {}, generation_config: { max_output_tokens: 9 } },
    { generationConfig: { maxOutputTokens: 5, max_output_tokens: 9 } },
    { generationConfig: { candidateCount: 1, candidate_count: 8 } },
  ]
  for (const more of twice)
    expect((await ask(url, gemini, { key, model: models.gemini, more })).status).toBe(400)
})
