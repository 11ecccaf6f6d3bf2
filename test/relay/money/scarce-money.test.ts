import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { roughInput } from '../../../server/relay/counting/estimate-input.ts'
import { until } from '../../program.ts'
import { endlessStream, type FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import {
  anthropic,
  ask,
  chat,
  gemini,
  problemIn,
  readStream,
  requestIdOf,
  responses,
  vendorIn,
  type Way,
  ways,
} from '../ways.ts'

let rig: Rig
let userId = 0
const fakes = new Map<Way, FakeUpstream>()
/** All priced alike: a unit for every token. */
const modelOf = new Map<Way, string>([
  [chat, 'm-chat'],
  [anthropic, 'm-claude'],
  [gemini, 'm-gemini'],
])
/** Of which each token of sound costs so many. */
const voices = { 'm-voice': 1, 'gemini-2.5-flash-preview-tts': 1 }
const SOUND = 20
/** Of which each token that the vendor's cache takes costs so many. */
const CACHED = 10
const otherModels = new Map<Way, readonly string[]>([
  [chat, ['m-free', 'm-call', 'm-voice']],
  [gemini, ['gemini-2.5-flash-preview-tts']],
  [anthropic, ['m-cached']],
])

beforeAll(async () => {
  for (const way of modelOf.keys()) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    userId = await books.addUser()
    const ratios = Object.fromEntries([...modelOf.values()].map(name => [name, 1]))
    await books.setOption('ModelRatio', JSON.stringify({ ...ratios, ...voices, 'm-free': 0, 'm-cached': 1 }))
    await books.setOption('CreateCacheRatio', `{"m-cached":${CACHED}}`)
    await books.setOption('CompletionRatio', JSON.stringify(ratios))
    await books.setOption('ModelPrice', '{"m-call":0.01}')
    await books.setOption('AudioRatio', JSON.stringify(voices))
    const sound = Object.keys(voices).map(name => [name, SOUND])
    await books.setOption('AudioCompletionRatio', JSON.stringify(Object.fromEntries(sound)))
    for (const [way, fake] of fakes) {
      const models = [modelOf.get(way) ?? '', ...(otherModels.get(way) ?? [])]
      await books.addChannel({ type: way.channelType, baseUrl: fake.url, key: fake.key, models })
    }
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way)

async function poorKey(quota: number): Promise<{ key: string; id: number }> {
  const id = await rig.addUser({ quota })
  return { key: (await rig.addToken({ userId: id })).key, id }
}

/** The limit as each vendor is told it. */
function limitIn(body: JsonObject): unknown {
  const generation = asObject(body.generationConfig)
  return (
    body.max_completion_tokens ?? body.max_tokens ?? body.max_output_tokens ?? generation?.maxOutputTokens
  )
}

describe('little money limits the answer, and the upstream is told', () => {
  const large: Record<string, JsonObject> = {
    'openai-chat': { max_tokens: 5000 },
    'openai-responses': { max_output_tokens: 5000 },
    anthropic: { max_tokens: 5000 },
    gemini: { generationConfig: { maxOutputTokens: 5000, temperature: 0.5 } },
  }
  const pairs = ways.flatMap(client => [chat, anthropic, gemini].map(vendor => ({ client, vendor })))
  test.each(pairs)('$client.name at $vendor.name', async ({ client, vendor }) => {
    const { key, id } = await poorKey(300)
    for (const more of [{}, large[client.name] ?? {}])
      for (const stream of [false, true]) {
        const before = await rig.balance(id)
        const response = await ask(rig.url, client, { key, model: modelOf.get(vendor) ?? '', more, stream })
        expect([response.status, (await readStream(response)).text.includes('said')]).toEqual([200, true])
        const sent = asObject(vendorOf(vendor).requests.at(-1)?.json) ?? {}
        expect(limitIn(sent)).toBeWithin(1, before)
        expect(await rig.balance(id)).toBeGreaterThanOrEqual(0)
      }
    if (client === gemini && vendor === gemini)
      expect(asObject(vendorOf(gemini).requests.at(-1)?.json)?.generationConfig).toMatchObject({
        temperature: 0.5,
      })
  })

  test('what costs nothing needs none, of who has none', async () => {
    const { key } = await poorKey(0)
    expect((await ask(rig.url, chat, { key, model: 'm-free' })).status).toBe(200)
    expect(limitIn(asObject(vendorOf(chat).requests.at(-1)?.json) ?? {})).toBeUndefined()
  })

  test('several answers share what the money is enough for', async () => {
    // Also where each by itself would be paid for.
    for (const max_tokens of [5000, 100]) {
      const { key } = await poorKey(300)
      const more = { n: 4, max_tokens }
      expect((await ask(rig.url, chat, { key, model: 'm-chat', more })).status).toBe(200)
      expect(limitIn(asObject(vendorOf(chat).requests.at(-1)?.json) ?? {})).toBeWithin(1, 300 / 4)
    }
  })

  test('a limit that the money reaches to stays as it is', async () => {
    const { key } = await poorKey(300)
    await ask(rig.url, chat, { key, model: 'm-chat', more: { max_tokens: 20 } })
    expect(asObject(vendorOf(chat).requests.at(-1)?.json)?.max_tokens).toBe(20)
  })
})

describe('what is to be spoken is held for as such', () => {
  const voiceConfig = { prebuiltVoiceConfig: { voiceName: 'Kore' } }
  const wishes = [
    {
      way: chat,
      model: 'm-voice',
      more: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' }, max_tokens: 200 },
    },
    {
      way: gemini,
      model: 'gemini-2.5-flash-preview-tts',
      more: {
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig },
          maxOutputTokens: 200,
        },
      },
    },
  ]
  test.each(wishes)('by $model', async ({ way, ...asked }) => {
    const { key } = await poorKey(600)
    expect((await ask(rig.url, way, { ...asked, key })).status).toBe(200)
    expect(limitIn(asObject(vendorOf(way).requests.at(-1)?.json) ?? {})).toBeWithin(1, 600 / SOUND)
    const rich = await poorKey(10_000)
    const answer = await ask(rig.url, way, { ...asked, key: rich.key })
    const hold = rig.store.db.selectFrom('holds').select('held').where('id', '=', requestIdOf(answer))
    expect((await hold.executeTakeFirstOrThrow()).held).toBeGreaterThanOrEqual(200 * SOUND)
  })
})

test('what the vendor’s cache may take is held for as such, by how long it is to be kept', async () => {
  const heldFor = async (cache_control: JsonObject) => {
    const { key } = await poorKey(100_000)
    const content = [{ type: 'text', text: 'word '.repeat(400), cache_control }]
    const more = { max_tokens: 20, messages: [{ role: 'user', content }] }
    const answer = await ask(rig.url, anthropic, { key, model: 'm-cached', more })
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    const hold = rig.store.db.selectFrom('holds').select('held').where('id', '=', requestIdOf(answer))
    return (await hold.executeTakeFirstOrThrow()).held
  }
  const forMinutes = await heldFor({ type: 'ephemeral' })
  expect(forMinutes).toBeGreaterThanOrEqual((vendorOf(anthropic).served.at(-1)?.tally.input ?? 0) * CACHED)
  expect(await heldFor({ type: 'ephemeral', ttl: '1h' })).toBeGreaterThan(forMinutes * 1.5)
})

test('without a limit of the client’s, so much is held as the operator wants at least', async () => {
  const heldFor = async (more: JsonObject) => {
    const { key } = await poorKey(20_000)
    const answer = await ask(rig.url, chat, { key, model: 'm-chat', more })
    const hold = rig.store.db.selectFrom('holds').select('held').where('id', '=', requestIdOf(answer))
    return (await hold.executeTakeFirstOrThrow()).held
  }
  await rig.setOption('PreConsumedQuota', '12345')
  expect(await until(async () => (await heldFor({})) === 12_345)).toBe(true)
  expect(await heldFor({ max_tokens: 2000 })).toBeLessThan(12_345)
  await rig.setOption('PreConsumedQuota', '500')
  expect(await until(async () => (await heldFor({})) < 12_345)).toBe(true)
})

test('an answer that the money is enough for comes whole, however many bytes its words are wrapped in', async () => {
  const askSlowly = async (way: Way): Promise<void> => {
    const { key, id } = await poorKey(400)
    const fake = vendorOf(way)
    // Long enough that what is held is looked at while its guess, by the bytes, is far above the money.
    fake.next({ reply: { text: 'word '.repeat(150) }, gapMs: 40 })
    const response = await ask(rig.url, way, { key, model: modelOf.get(way) ?? '', stream: true })
    const { text } = await readStream(response)
    expect([way.name, way.finishMark.test(text), way.failMark.test(text)]).toEqual([way.name, true, false])
    const { input = 0, output = 0 } = fake.served.at(-1)?.tally ?? {}
    expect(output).toBeWithin(150, 200)
    expect(await rig.chargeOf(requestIdOf(response))).toBe(input + output)
    expect(await rig.balance(id)).toBe(400 - input - output)
  }
  await Promise.all([chat, anthropic, gemini].map(askSlowly))
})

describe('an upstream that does not heed its limit', () => {
  test.concurrent.each([chat, anthropic, gemini])(
    '$name: is stopped when the money is used up',
    async way => {
      const { key, id } = await poorKey(600)
      const fake = vendorOf(way)
      fake.next({ ...(endlessStream as object), gapMs: 1 })
      const response = await ask(rig.url, way, { key, model: modelOf.get(way) ?? '', stream: true })
      const { text } = await readStream(response)
      expect(text).toMatch(way.failMark)
      expect(text).toContain('额度已用尽，回答被中止')
      expect(text).not.toMatch(way.finishMark)
      await fake.served.at(-1)?.done
      expect(fake.served.at(-1)?.aborted).toBe(true)
      const charge = await rig.chargeOf(requestIdOf(response))
      expect(charge).toBeWithin(300, 601)
      expect(await rig.balance(id)).toBe(600 - (charge ?? 0))
    },
  )
})

describe('a vendor that counts more than it was allowed', () => {
  test.each([false, true])('takes the wallet to nothing and no further, streamed %p', async stream => {
    const { key, id } = await poorKey(300)
    vendorOf(chat).next({
      usage: told => ({ ...asObject(told), completion_tokens: 4000, total_tokens: 4010 }),
    })
    const response = await ask(rig.url, chat, { key, model: 'm-chat', stream })
    expect([response.status, (await readStream(response)).text.includes('said')]).toEqual([200, true])
    expect(await rig.chargeOf(requestIdOf(response))).toBe(300)
    expect(await rig.balance(id)).toBe(0)
  })

  test('of the input is the operator’s loss by what it exceeds the estimate, when the limit is kept to', async () => {
    const { key, id } = await poorKey(300)
    const text = '1 2 3 4 5 6 7 8 9 '.repeat(20)
    vendorOf(chat).next({})
    const response = await ask(rig.url, chat, { key, model: 'm-chat', text })
    expect(response.status).toBe(200)
    const { input = 0, output = 0 } = vendorOf(chat).served.at(-1)?.tally ?? {}
    const sent = asObject(vendorOf(chat).requests.at(-1)?.json) ?? {}
    expect(output).toBeLessThanOrEqual(Number(limitIn(sent)))
    // A unit for every token: what was allowed and what was read together are no more than there was.
    const estimated = roughInput(text.length)
    expect(Number(limitIn(sent)) + estimated).toBeLessThanOrEqual(300)
    expect(await rig.balance(id)).toBe(Math.max(0, 300 - input - output))
  })
})

describe('no money', () => {
  test('refuses in every dialect, and asks nobody', async () => {
    const { key } = await poorKey(0)
    const before = [...fakes.values()].map(fake => fake.requests.length)
    for (const way of ways)
      for (const stream of [false, true]) {
        const response = await ask(rig.url, way, { key, model: 'm-chat', stream })
        const problem = problemIn(way, await response.text())
        expect([way.name, response.status]).toEqual([way.name, 403])
        expect(problem?.message).toStartWith('用户额度不足')
        if (way === chat || way === responses)
          expect([problem?.code, problem?.type]).toEqual(['insufficient_user_quota', 'new_api_error'])
        expect((await rig.logOf(requestIdOf(response))).type).toBe(5)
      }
    expect([...fakes.values()].map(fake => fake.requests.length)).toEqual(before)
    expect((await ask(rig.url, chat, { key, model: 'm-free' })).status).toBe(200)
  })

  test('of a token refuses too, and ends the token', async () => {
    const small = await rig.addToken({ userId, budget: 3 })
    const refused = await ask(rig.url, chat, { key: small.key, model: 'm-chat' })
    const problem = problemIn(chat, await refused.text())
    expect([refused.status, problem?.code]).toEqual([403, 'pre_consume_token_quota_failed'])
    expect(problem?.message).toStartWith('令牌额度不足')

    const { id, key } = await rig.addToken({ userId, budget: 10_000 })
    const spend = async () => (await ask(rig.url, chat, { key, model: 'm-call' })).status
    const tokenRow = () =>
      rig.store.db
        .selectFrom('tokens')
        .select(['status', 'remain_quota', 'used_quota'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    expect(await spend()).toBe(200)
    expect(await tokenRow()).toEqual({ status: 1, remain_quota: 5000, used_quota: 5000 })
    expect(await spend()).toBe(200)
    expect(await tokenRow()).toEqual({ status: 4, remain_quota: 0, used_quota: 10_000 })
    const ended = await until(async () => {
      const response = await ask(rig.url, chat, { key, model: 'm-chat' })
      return response.status === 401 ? response.text() : undefined
    })
    expect(problemIn(chat, ended)?.message).toStartWith('该令牌额度已用尽')
  })

  test('is spent twice by calls side by side', async () => {
    const { key, id } = await poorKey(400)
    const asking = { key, model: 'm-chat', more: { max_tokens: 100 } }
    const all = await Promise.all(Array.from({ length: 30 }, () => ask(rig.url, chat, asking)))
    const statuses = all.map(response => response.status)
    expect(statuses.filter(status => status !== 200 && status !== 403)).toEqual([])
    expect(statuses).toContain(403)
    expect(await rig.balance(id)).toBeGreaterThanOrEqual(0)
  })

  /** Thirty, each of which takes few letters here and many tokens at its vendor. */
  const addresses = Array.from({ length: 30 }, (_, at) => `https://pictures.example/${at}.png`)
  const shown: [Way, JsonObject[]][] = [
    [chat, addresses.map(url => ({ type: 'image_url', image_url: { url } }))],
    [responses, addresses.map(image_url => ({ type: 'input_image', image_url, detail: 'auto' }))],
    [anthropic, addresses.map(url => ({ type: 'image', source: { type: 'url', url } }))],
  ]
  test.each(shown)(
    '$name: pays for what only the vendor sees, however many ask at once',
    async (way, content) => {
      const { key, id } = await poorKey(100_000)
      const vendor = way === responses ? chat : way
      const before = vendorOf(vendor).requests.length
      const field = way === responses ? 'input' : 'messages'
      const asking = { key, model: modelOf.get(vendor) ?? '', more: { [field]: [{ role: 'user', content }] } }
      // None is over before all have come.
      const { promise: allHere, resolve } = Promise.withResolvers<void>()
      vendorOf(vendor).always(() => allHere.then(() => ({})))
      const asked = () => vendorOf(vendor).requests.length - before
      let refused = 0
      const all = Array.from({ length: 12 }, async () => {
        const { status } = await ask(rig.url, way, asking)
        if (status === 403) refused++
        return status
      })
      await until(() => asked() + refused === all.length)
      vendorOf(vendor).always({})
      resolve()
      expect((await Promise.all(all)).filter(status => status !== 200 && status !== 403)).toEqual([])
      expect(asked()).toBeWithin(1, 5)
      expect(await rig.balance(id)).toBeGreaterThanOrEqual(0)
    },
  )
})
