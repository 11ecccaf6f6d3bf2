import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { until } from '../../program.ts'
import { megabytes } from '../../upstreams/index.ts'
import { anthropic, ask, chat, gemini, problemIn, readUntil, requestIdOf, responses, ways } from '../ways.ts'
import { CACHE, type CacheHouse, openCacheHouse } from './cache-house.ts'

let house: CacheHouse
/** Another token of the same user, one in another group, and one of somebody else's. */
let second = ''
let grouped = ''
let stranger = ''

const SPOKEN = 'text-embedding-3-small'
const openaiModels = [SPOKEN, 'gpt-3.5-turbo', 'rerank-2', 'omni-moderation-latest', 'tts-1', 'o3']

beforeAll(async () => {
  house = await openCacheHouse(async (books, at) => {
    const userId = await books.addUser()
    second = (await books.addToken({ userId })).key
    stranger = (await books.addToken({ userId: await books.addUser() })).key
    grouped = (await books.addToken({ userId, group: 'vip' })).key
    await books.setOption('UserUsableGroups', '{"default":"a","vip":"b"}')
    const { url: baseUrl, key } = at(chat)
    const seed = { type: 1, baseUrl, key }
    await books.addChannel({ ...seed, models: openaiModels })
    await books.addChannel({ ...seed, models: ['m-chat'], groups: ['vip'] })
  })
})
afterAll(() => house.close())

const askedOf = (way: (typeof ways)[number]) => house.vendorOf(way).requests.length

/** What the program tells of its kept answers. */
const told = async (name: string) => {
  const text = await (await fetch(`${house.rig.url}/metrics`)).text()
  return Number(new RegExp(`^tollgate_relay_answer_cache_${name}[^ ]* (\\d+)$`, 'm').exec(text)?.[1])
}

/** Tokens that models have read and made. */
const tokensCounted = async () => {
  const text = await (await fetch(`${house.rig.url}/metrics`)).text()
  const counts = [...text.matchAll(/^tollgate_relay_tokens_total\S* (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

describe.each([
  ...ways.map(client => ({ client, vendor: client, name: client.name })),
  { client: chat, vendor: anthropic, name: 'openai-chat of a Claude' },
  { client: gemini, vendor: chat, name: 'gemini of a GPT' },
])('$name', ({ client, vendor }) => {
  const model = vendor === anthropic ? 'm-claude' : vendor === gemini ? 'm-gemini' : 'm-chat'

  test.each([false, true])('gives the same bytes again for half, streamed %p', async stream => {
    const asking = { model, stream, text: 'what is an answer?' }
    const before = askedOf(vendor)
    const first = await house.call(client, asking)
    expect([first.status, first.cache, first.age]).toEqual([200, 'miss', null])
    if (stream) expect(first.body).toMatch(client.endMark)
    const { input = 0, output = 0 } = house.vendorOf(vendor).served.at(-1)?.tally ?? {}
    const usual = (input + output * 2) * 3
    expect(await house.rig.chargeOf(first.requestId)).toBe(usual)

    const balance = await house.rig.balance(house.userId)
    const counted = await tokensCounted()
    expect(counted).toBeGreaterThan(0)
    const again = await house.call(client, asking)
    expect(await tokensCounted()).toBe(counted)
    expect(again).toEqual({
      ...first,
      cache: 'hit',
      age: expect.stringMatching(/^\d+$/),
      requestId: again.requestId,
    })
    expect(again.requestId).not.toBe(first.requestId)
    expect(askedOf(vendor)).toBe(before + 1)
    // Half a unit counts as one.
    const charge = Math.floor((usual + 1) / 2)
    expect(await house.rig.chargeOf(again.requestId)).toBe(charge)
    expect(await house.rig.balance(house.userId)).toBe(balance - charge)
    const row = await house.rig.logOf(again.requestId)
    expect([row.type, row.quota, row.channel_id, row.model_name]).toEqual([2, charge, 0, model])
    expect([row.prompt_tokens, row.completion_tokens, row.is_stream]).toEqual([input, output, Number(stream)])
    expect(row.details).toMatchObject({ answer_cache_ratio: 0.5, group_ratio: 1, model_ratio: 3 })
    // Nobody is paid for it.
    expect([row.cost, (await house.rig.logOf(first.requestId)).cost]).toEqual([0, null])
  })
})

test('Gemini’s stream as an array is another than its events', async () => {
  const body = gemini.body('m-gemini', 'both ways', true)
  const path = '/v1beta/models/m-gemini:streamGenerateContent'
  const all = []
  for (const query of ['', '?alt=sse', '', '?alt=sse']) all.push(await house.post(path + query, body))
  expect(all.map(({ cache }) => cache)).toEqual(['miss', 'miss', 'hit', 'hit'])
  expect([all[2]?.body, all[3]?.body]).toEqual([all[0]?.body, all[1]?.body])
  expect(JSON.parse(all[2]?.body ?? '')).toBeArray()
})

test.each([
  ['/v1/embeddings', { model: SPOKEN, input: 'numbers' }],
  ['/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'once upon', max_tokens: 20 }],
  ['/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'once upon', max_tokens: 20, stream: true }],
  ['/v1/rerank', { model: 'rerank-2', query: 'a', documents: ['b', 'a'] }],
  ['/v1/moderations', { input: 'is this kept?' }],
  ['/v1beta/models/m-gemini:embedContent', { content: { parts: [{ text: 'numbers' }] } }],
])('%s %j', async (path, body) => {
  const vendor = path.startsWith('/v1beta') ? gemini : chat
  const before = askedOf(vendor)
  const first = await house.post(path, body)
  expect([first.status, first.cache]).toEqual([200, 'miss'])
  const again = await house.post(path, body)
  expect([again.cache, again.body, again.type]).toEqual(['hit', first.body, first.type])
  expect(askedOf(vendor)).toBe(before + 1)
  const [former, row] = [await house.rig.logOf(first.requestId), await house.rig.logOf(again.requestId)]
  expect([row.prompt_tokens, row.completion_tokens]).toEqual([former.prompt_tokens, former.completion_tokens])
  const { model_price = 0, model_ratio = 0, completion_ratio = 1 } = former.details as Record<string, number>
  const byTokens = (row.prompt_tokens + row.completion_tokens * completion_ratio) * model_ratio
  const usual = model_price < 0 ? byTokens : model_price * 500_000
  // At least one for what is not free.
  expect(row.quota).toBe(Math.max(Math.floor(usual / 2 + 0.5), usual > 0 ? 1 : 0))
})

test('the vendors’ own clients ask by a header of theirs, and read a stream that is given again', async () => {
  const { url } = house.rig
  const apiKey = house.token.key
  const headers = { [CACHE]: 'on' }
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders: headers })
  const claude = new Anthropic({ apiKey, baseURL: url, maxRetries: 0, defaultHeaders: headers })
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, headers } })
  const content = 'by its own client'
  const messages = [{ role: 'user' as const, content }]
  const gather = async <Event>(stream: AsyncIterable<Event>): Promise<Event[]> => {
    const events: Event[] = []
    for await (const event of stream) events.push(event)
    return events
  }
  const asks: (() => Promise<unknown[]>)[] = [
    async () => gather(await openai.chat.completions.create({ model: 'm-chat', messages, stream: true })),
    async () => gather(await openai.responses.create({ model: 'm-chat', input: content, stream: true })),
    () => gather(claude.messages.stream({ model: 'm-claude', max_tokens: 99, messages })),
    async () => gather(await google.models.generateContentStream({ model: 'm-gemini', contents: content })),
  ]
  const before = askedOf(chat) + askedOf(anthropic) + askedOf(gemini)
  for (const say of asks) {
    const events = JSON.stringify(await say(), dropHeaders)
    expect(events).toContain('client')
    expect(JSON.stringify(await say(), dropHeaders)).toBe(events)
  }
  expect(askedOf(chat) + askedOf(anthropic) + askedOf(gemini)).toBe(before + asks.length)
})

/** Google's client hands out the head of the answer with each part of it. */
const dropHeaders = (key: string, value: unknown) => (key === 'sdkHttpResponse' ? undefined : value)

test('sound, and what goes on from what an upstream keeps, is asked for anew', async () => {
  const before = askedOf(chat)
  for (let at = 0; at < 2; at++) {
    const speech = await house.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' })
    expect([speech.status, speech.cache]).toEqual([200, null])
  }
  const first = await house.call(responses, { text: 'to go on from' })
  const previous_response_id = String(JSON.parse(first.body).id)
  for (let at = 0; at < 2; at++) {
    const next = await house.call(responses, { text: 'and then?', more: { previous_response_id } })
    expect([next.status, next.cache]).toEqual([200, null])
  }
  expect(askedOf(chat)).toBe(before + 5)
  // The id of an answer that is given again is one that can be gone on from.
  const again = await house.call(responses, { text: 'to go on from' })
  expect([again.cache, again.body]).toEqual(['hit', first.body])
})

test('it is for who asked: the same user in the same group, with the same words', async () => {
  const cacheOf = async (asking: Parameters<CacheHouse['call']>[1]) =>
    (await house.call(chat, { text: 'mine', ...asking })).cache
  expect(await cacheOf({ key: second })).toBe('miss')
  expect(await cacheOf({ key: second })).toBe('hit')
  expect(await cacheOf({ key: stranger })).toBe('miss')
  expect(await cacheOf({})).toBe('miss')
  expect(await cacheOf({ key: grouped })).toBe('miss')
  expect(await cacheOf({ key: second, text: 'mine!' })).toBe('miss')
  expect(await cacheOf({ key: second, more: { temperature: 1 } })).toBe('miss')
  expect(await cacheOf({ key: second, headers: { 'openai-beta': 'other=v1' } })).toBe('miss')
  expect(await cacheOf({ key: second })).toBe('hit')
})

test('nobody gets a kept answer unasked, and what cannot be understood is refused', async () => {
  await house.call(chat, { text: 'kept' })
  const before = askedOf(chat)
  for (const cache of ['', 'off', '0', ' OFF ', '00'])
    expect((await house.call(chat, { text: 'kept', cache })).cache).toBeNull()
  expect(askedOf(chat)).toBe(before + 5)
  for (const way of ways) {
    const odd = await house.call(way, { text: 'kept', cache: 'always', headers: { 'accept-language': 'en' } })
    expect([odd.status, problemIn(way, odd.body)?.message]).toEqual([400, expect.stringContaining(CACHE)])
  }
  expect((await house.call(chat, { text: 'kept', cache: 'ON' })).cache).toBe('hit')
  expect((await house.call(chat, { text: 'kept', cache: '999999999' })).cache).toBe('hit')
})

test('what is asked anew takes the place of what was kept', async () => {
  const first = await house.call(chat, { text: 'news?' })
  const anew = await house.call(chat, { text: 'news?', cache: 'refresh' })
  expect([anew.status, anew.cache]).toEqual([200, 'miss'])
  expect(anew.body).not.toBe(first.body)
  expect((await house.call(chat, { text: 'news?' })).body).toBe(anew.body)
})

test('no answer is given after its time: its caller’s, the asker’s, the operator’s', async () => {
  for (const [text, cache] of [
    ['short', '1'],
    ['long', 'on'],
    ['longer', 'on'],
  ] as const)
    await house.call(chat, { text, cache })
  await Bun.sleep(1000)
  expect((await house.call(chat, { text: 'short' })).cache).toBe('miss')
  expect((await house.call(chat, { text: 'long', cache: '1' })).cache).toBe('miss')
  await house.root.saveOption('AnswerCacheSeconds', '1')
  expect((await house.call(chat, { text: 'longer' })).cache).toBe('miss')
  // Off, it is as if the header were not there; and what was kept is gone.
  await house.root.saveOption('AnswerCacheSeconds', '0')
  for (const cache of ['on', 'always'])
    expect((await house.call(chat, { text: 'long', cache })).cache).toBeNull()
  await house.root.saveOption('AnswerCacheSeconds', '3600')
  expect((await house.call(chat, { text: 'long' })).cache).toBe('miss')
})

describe.each(ways)('$name: not kept is', way => {
  test.each([
    ['a stream that is cut', { cutAfterFrames: 6, gapMs: 3 }],
    ['one that ends without its end', { cutAfterFrames: 6, gapMs: 3, politely: true as const }],
    ['one in which an error comes', { errorAfterFrames: 6, gapMs: 3 }],
  ])('%s', async (what, script) => {
    house.vendorOf(way).next(script)
    const broken = await house.call(way, { text: what, stream: true })
    // An error that comes together with the first words is told before there is a stream.
    expect(broken.body).toMatch(broken.status === 200 ? way.failMark : /"error":\{/)
    const whole = await house.call(way, { text: what, stream: true })
    expect([whole.cache, whole.body]).toEqual(['miss', expect.stringMatching(way.endMark)])
    expect((await house.call(way, { text: what, stream: true })).body).toBe(whole.body)
  })

  test('a failure, and more than a megabyte', async () => {
    const fake = house.vendorOf(way)
    fake.next(fake.failWith('bad-request'))
    const failed = await house.call(way, { text: 'fails' })
    expect([failed.status, failed.cache]).toEqual([400, null])
    expect((await house.call(way, { text: 'fails' })).cache).toBe('miss')
    for (const stream of [false, true])
      for (let at = 0; at < 2; at++) {
        fake.next(megabytes(1))
        const large = await house.call(way, { text: 'at length', stream })
        expect([large.status, large.cache]).toEqual([200, 'miss'])
      }
  })
})

describe('who leaves a stream', () => {
  /** Leaves when something was said, and answers once that is settled. */
  async function leave(model: string, text: string): Promise<void> {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    house.vendorOf(chat).next({ hold: { afterFrames: 4, until: left } })
    const leaving = new AbortController()
    const headers = { [CACHE]: 'on' }
    const asking = { key: house.token.key, model, text, stream: true, headers, signal: leaving.signal }
    const response = await ask(house.rig.url, chat, asking)
    await readUntil(response, 'said')
    leaving.abort()
    const settled = house.rig.logOf(requestIdOf(response))
    // The one is given up at once; by the time of the next answer it is known that nobody listens to the other.
    if (model !== 'o3') await settled
    else await house.call(chat, { model, cache: '' })
    resolve()
    await settled
  }

  test('keeps nothing of it', async () => {
    await leave('gpt-3.5-turbo', 'one two three')
    const next = await house.call(chat, { model: 'gpt-3.5-turbo', text: 'one two three', stream: true })
    expect(next.cache).toBe('miss')
  })

  test('has it kept where it is read to its end for what it cost', async () => {
    const before = await told('bytes')
    await leave('o3', 'one two three')
    // It is kept a moment after it is paid.
    await until(async () => (await told('bytes')) > before)
    const whole = await house.call(chat, { model: 'o3', text: 'one two three', stream: true })
    expect([whole.cache, whole.body]).toEqual(['hit', expect.stringMatching(chat.endMark)])
  })
})

test('answers on their way share as much memory as those that are kept, and give it back', async () => {
  await house.root.saveOption('AnswerCacheMegabytes', '1')
  const many = 600 * 1024
  /** Nearly all of it has come; what it returns has the rest come. */
  const begin = async (text: string, signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    house.vendorOf(chat).next({ reply: { text: 'x'.repeat(many) }, hold: { afterFrames: 2, until: promise } })
    const asking = { key: house.token.key, model: 'm-chat', text, stream: true, headers: { [CACHE]: 'on' } }
    const response = await ask(house.rig.url, chat, { ...asking, ...(signal && { signal }) })
    const reader = response.body?.getReader()
    for (let read = 0; read < many; ) read += (await reader?.read())?.value?.length ?? 0
    return async () => {
      resolve()
      if (signal) return house.rig.logOf(requestIdOf(response))
      for (let done = false; !done; ) done = (await reader?.read())?.done ?? true
    }
  }
  const cacheOf = async (text: string) => (await house.call(chat, { text, stream: true })).cache

  const both = [await begin('first'), await begin('second')]
  for (const end of both) await end()
  expect([await cacheOf('first'), await cacheOf('second')]).toEqual(['hit', 'miss'])

  const leaving = new AbortController()
  const left = await begin('left', leaving.signal)
  leaving.abort()
  await left()
  const third = await begin('third')
  await third()
  expect(await cacheOf('third')).toBe('hit')
})

test('memory has its bounds, and what was not asked for the longest goes first', async () => {
  await house.root.saveOption('AnswerCacheMegabytes', '1')
  const say = async (text: string) => {
    house.vendorOf(chat).always({ reply: { text: text.repeat(400 * 1024) } })
    const { cache } = await house.call(chat, { text })
    house.vendorOf(chat).always({})
    return cache
  }
  const hits = await told('total{.*outcome="hit"')
  const misses = await told('total{.*outcome="miss"')
  for (const text of ['a', 'b']) expect(await say(text)).toBe('miss')
  expect(await say('a')).toBe('hit')
  expect(await say('c')).toBe('miss')
  expect([await say('a'), await say('c')]).toEqual(['hit', 'hit'])
  expect(await told('bytes')).toBeWithin(800 * 1024, 1024 * 1024)
  expect(await say('b')).toBe('miss')
  expect([await told('total{.*outcome="hit"'), await told('total{.*outcome="miss"')]).toEqual([
    hits + 3,
    misses + 4,
  ])
  // What is under way when it is switched off is not kept either.
  const { promise, resolve } = Promise.withResolvers<void>()
  house.vendorOf(chat).next({ hold: { afterFrames: 4, until: promise } })
  const going = house.call(chat, { text: 'going on', stream: true })
  const asked = askedOf(chat)
  await until(() => askedOf(chat) > asked)
  await house.root.saveOption('AnswerCacheSeconds', '0')
  expect(await told('bytes')).toBe(0)
  resolve()
  expect((await going).body).toMatch(chat.endMark)
  expect(await told('bytes')).toBe(0)
})
