import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { morePatience } from '../../more-patience.ts'
import { until } from '../../program.ts'
import { anthropic, chat, gemini, problemIn, responses, type Way, ways } from '../ways.ts'
import { CACHE } from './cache-house.ts'
import { EMBEDDER, openSemanticHouse, type SemanticHouse } from './semantic-house.ts'

let house: SemanticHouse
/** Of the same user: another token, and one in another group. And one of somebody else's. */
let second = ''
let grouped = ''
let stranger = ''
let poor = ''
/** Of who has something, but not enough for a question. */
let scarce = ''

beforeAll(async () => {
  house = await openSemanticHouse(
    async (books, at) => {
      const userId = await books.addUser()
      second = (await books.addToken({ userId })).key
      grouped = (await books.addToken({ userId, group: 'vip' })).key
      stranger = (await books.addToken({ userId: await books.addUser() })).key
      poor = (await books.addToken({ userId: await books.addUser({ quota: 0 }) })).key
      scarce = (await books.addToken({ userId: await books.addUser({ quota: 5 }) })).key
      await books.setOption('UserUsableGroups', '{"default":"a","vip":"b"}')
      await books.setOption('DefaultModelRatio', '1')
      const { url: baseUrl, key } = at(chat)
      await books.addChannel({ type: 1, baseUrl, key, models: ['m-other', 'n-other', 'm-unheard'] })
      await books.addChannel({ type: 1, baseUrl, key, models: ['m-chat'], groups: ['vip'] })
      // What is not told in two seconds is not compared.
    },
    morePatience({ 2000: 60_000 }),
  )
})
afterAll(() => house.close())

const askedOf = (way: Way) => house.vendorOf(way).requests.length
const embedded = () => house.embedder.requests.length

const told = async (pattern: RegExp) => {
  const text = await (await fetch(`${house.rig.url}/metrics`)).text()
  return Number(pattern.exec(text)?.[1] ?? 0)
}

/** A question that is answered anew, and kept. */
async function keepOne(text: string, more: Parameters<SemanticHouse['like']>[2] = {}) {
  const first = await house.like(chat, text, more)
  expect([first.status, first.cache, first.similarity]).toEqual([200, 'miss', null])
  return first
}

describe.each([...ways])('$name', way => {
  const vendor = way === responses ? chat : way

  test.each([false, true])('what means the same gets the same bytes, for half, streamed %p', async stream => {
    const before = { asked: askedOf(vendor), embedded: embedded() }
    const how = `${way.name} ${stream ? 'flows' : 'whole'}`
    const first = await house.like(way, `How do I return the order of ${how}?`, { stream })
    expect([first.status, first.cache, first.similarity]).toEqual([200, 'miss', null])
    if (stream) expect(first.body).toMatch(way.endMark)
    const { input = 0, output = 0 } = house.vendorOf(vendor).served.at(-1)?.tally ?? {}

    const balance = await house.rig.balance(house.userId)
    const again = await house.like(way, `The order of ${how}: could you return?`, {
      stream,
    })
    expect(again).toEqual({
      ...first,
      cache: 'hit',
      age: expect.stringMatching(/^\d+$/),
      similarity: '1',
      requestId: again.requestId,
    })
    expect([askedOf(vendor), embedded()]).toEqual([before.asked + 1, before.embedded + 2])
    // Half a unit counts as one. What the comparison costs is nothing of the caller's.
    const charge = Math.floor(((input + output * 2) * 3 + 1) / 2)
    expect(await house.rig.balance(house.userId)).toBe(balance - charge)
    const row = await house.rig.logOf(again.requestId)
    expect([row.type, row.quota, row.channel_id, row.cost]).toEqual([2, charge, 0, 0])
    expect([row.prompt_tokens, row.completion_tokens, row.is_stream]).toEqual([input, output, Number(stream)])
    expect(row.details).toMatchObject({ answer_cache_ratio: 0.5, answer_cache_similarity: 1 })
    expect((await house.rig.logOf(first.requestId)).details).not.toHaveProperty('answer_cache_similarity')
  })
})

test('what is exactly the same is found first, and nobody is asked what it means', async () => {
  const first = await keepOne('where is my parcel now?')
  const before = embedded()
  const again = await house.like(chat, 'where is my parcel now?')
  expect([again.cache, again.similarity, again.body]).toEqual(['hit', null, first.body])
  // Nor is it asked twice of one text.
  const similar = await house.like(chat, 'now, where is the parcel?')
  const same = await house.like(chat, 'now, where is the parcel?')
  expect([similar.similarity, same.similarity, same.body]).toEqual(['1', '1', first.body])
  expect(embedded()).toBe(before + 1)
})

test('only who asks for it gets it, and in any order of words', async () => {
  const first = await keepOne('which colours do the shoes have?')
  const other = 'the shoes have which colours?'
  const before = embedded()
  for (const cache of ['', 'off', '0', 'semantic, off', '0,semantic'])
    expect((await house.like(chat, other, { cache })).cache).toBeNull()
  expect((await house.like(chat, other, { cache: 'on' })).cache).toBe('miss')
  expect(embedded()).toBe(before)
  const another = 'colours: which do shoes have?'
  for (const cache of ['semantic', 'on, semantic', ' Semantic ,600', '600,SEMANTIC']) {
    const again = await house.like(chat, another, { cache })
    expect([again.cache, again.similarity, again.body]).toEqual(['hit', '1', first.body])
  }
  for (const cache of ['semantic, often', 'on, off, semantic', 'semantics', 'semantic;on']) {
    const odd = await house.like(chat, another, { cache, headers: { 'accept-language': 'en' } })
    expect([odd.status, problemIn(chat, odd.body)?.message]).toEqual([400, expect.stringContaining(CACHE)])
  }
})

test('what is asked anew is kept for all that mean the same', async () => {
  const first = await keepOne('what does the museum show today?')
  const anew = await house.like(chat, 'today, what does the museum show?', { cache: 'semantic, refresh' })
  expect([anew.cache, anew.similarity]).toEqual(['miss', null])
  expect(anew.body).not.toBe(first.body)
  const again = await house.like(chat, 'the museum: what does show today?')
  expect([again.similarity, again.body]).toEqual(['1', anew.body])
})

test('nobody gets what was made for somebody else, or for another group; tokens of one user share', async () => {
  const first = await keepOne('my salary in this contract?', { key: second })
  const other = 'in this contract, my salary?'
  for (const key of [stranger, grouped, house.token.key])
    expect((await house.like(chat, other, { key })).cache).toBe('miss')
  const { key } = await house.rig.addToken({
    userId: (await house.rig.logOf(first.requestId)).user_id,
  })
  const own = await house.like(chat, 'salary: my contract, this?', { key })
  expect([own.cache, own.similarity, own.body]).toEqual(['hit', '1', first.body])
})

const said = (content: unknown, more: object = {}) =>
  JSON.stringify({ model: 'm-chat', messages: [{ role: 'user', content }], ...more })
const after = (before: object[], content: string) =>
  JSON.stringify({ model: 'm-chat', messages: [...before, { role: 'user', content }] })

test('all else has to be equal', async () => {
  const text = 'tell the story of the fox'
  const other = 'the story of the fox: tell'
  const spoken = [
    { role: 'user', content: 'hello there' },
    { role: 'assistant', content: 'hello' },
  ]
  await keepOne(text, { rawBody: said(text) })
  const bodies = [
    said(other, { model: 'm-other' }),
    said(other, { temperature: 0.2 }),
    said(other, { max_tokens: 50 }),
    said(other, { stream: true }),
    said(other, { response_format: { type: 'text' } }),
    said(other, { user: 'somebody' }),
    said([{ type: 'text', text: other }]),
    after([{ role: 'system', content: 'Speak as a pirate.' }], other),
    after(spoken, other),
  ]
  for (const rawBody of bodies)
    expect([rawBody, (await house.like(chat, '', { rawBody })).cache]).toEqual([rawBody, 'miss'])
  // In a conversation that was the same until now, it is.
  const third = 'of the fox tell the story'
  expect((await house.like(chat, '', { rawBody: after(spoken, third) })).similarity).toBe('1')
  expect((await house.like(chat, '', { rawBody: said(third, { max_tokens: 50 }) })).similarity).toBe('1')
})

test.each([
  ['price of 10 kg of rice', 'rice of 100 kg, price of'],
  ['price for two tickets', 'tickets for three: price'],
  ['may I smoke in rooms', 'in rooms I may not smoke'],
  ['北京到上海三天怎么玩', '上海到北京五天怎么玩'],
])('%p and %p are told apart whatever the vectors say', async (one, other) => {
  await keepOne(one)
  const similarity = house.embedder.requests.length
  const again = await house.like(chat, other)
  expect([again.cache, again.similarity, house.embedder.requests.length]).toEqual([
    'miss',
    null,
    similarity + 1,
  ])
})

test('what has tools or pictures in it, is very short or very long is not compared, and kept as before', async () => {
  const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }]
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } }
  const bodies = [
    said('find the cheapest flight there', { tools }),
    said([{ type: 'text', text: 'what is on this picture?' }, picture]),
    said('go on'),
    said('word '.repeat(500)),
    JSON.stringify({
      model: 'm-chat',
      messages: [
        { role: 'user', content: 'find the cheapest flight there' },
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'there is one on Monday morning' },
      ],
    }),
  ]
  const before = embedded()
  for (const rawBody of bodies) {
    expect((await house.like(chat, '', { rawBody })).cache).toBe('miss')
    const again = await house.like(chat, '', { rawBody })
    expect([again.cache, again.similarity]).toEqual(['hit', null])
  }
  expect(embedded()).toBe(before)
})

const twenty =
  'red orange yellow green blue purple pink brown black white grey silver gold copper iron lead zinc stone wood'

test('exactly as like as the operator wants is like enough', async () => {
  // Nineteen words of twenty.
  const first = await keepOne(`${twenty} glass`)
  const again = await house.like(chat, `${twenty} paper`)
  expect([again.cache, again.similarity, again.body]).toEqual(['hit', '0.95', first.body])
  expect((await house.rig.logOf(again.requestId)).details.answer_cache_similarity).toBe(0.95)
  await house.root.saveOption('SemanticCacheSimilarity', '0.9501')
  expect((await house.like(chat, `${twenty} cloth`)).cache).toBe('miss')
  // The likest of several is given.
  await house.root.saveOption('SemanticCacheSimilarity', '0.9')
  const likest = await house.like(chat, `glass ${twenty}`)
  expect([likest.similarity, likest.body]).toEqual(['1', first.body])
  await house.root.saveOption('SemanticCacheSimilarity', '0.95')
})

test('the operator says for which models and groups, and for how long', async () => {
  const save = (name: string, value: string) => house.root.saveOption(name, value)
  await save('SemanticCacheModels', 'm-unheard, n-*')
  const isCompared = async (model: string, key?: string) => {
    const before = embedded()
    const one = await house.like(chat, `which of the trees ${crypto.randomUUID().replace(/[^a-f]/g, '')}`, {
      model,
      ...(key && { key }),
    })
    expect(one.status).toBe(200)
    return embedded() - before
  }
  expect([await isCompared('m-chat'), await isCompared('m-unheard'), await isCompared('n-other')]).toEqual([
    0, 1, 1,
  ])
  await save('SemanticCacheModels', '')
  await save('SemanticCacheGroups', 'vip')
  expect([await isCompared('m-chat'), await isCompared('m-chat', grouped)]).toEqual([0, 1])
  await save('SemanticCacheGroups', '')

  await keepOne('which of the birds sings at night?')
  await save('SemanticCacheSeconds', '1')
  await Bun.sleep(1000)
  expect((await house.like(chat, 'at night which of the birds sings?')).cache).toBe('miss')
  // What is exactly the same is kept as long as ever.
  expect((await house.like(chat, 'which of the birds sings at night?')).cache).toBe('hit')
  await save('SemanticCacheSeconds', '86400')
  // The asker may want a younger one.
  await Bun.sleep(1000)
  const young = { cache: 'semantic, 1' }
  expect((await house.like(chat, 'birds: which of sings at night?', young)).cache).toBe('miss')
})

test('no more are compared with than the operator allows, and none where that is switched off', async () => {
  const many = /^tollgate_relay_answer_cache_questions[^ ]* (\d+)$/m
  expect(await told(many)).toBeGreaterThan(5)
  await house.root.saveOption('SemanticCacheEntries', '2')
  await until(async () => (await told(many)) === 2)
  await keepOne('the newest of all questions')
  expect(await told(many)).toBe(2)
  expect((await house.like(chat, 'of all questions the newest')).similarity).toBe('1')
  await house.root.saveOption('SemanticCacheModel', '')
  await until(async () => (await told(many)) === 0)
  const before = embedded()
  expect((await house.like(chat, 'newest questions of all the')).cache).toBe('miss')
  expect(embedded()).toBe(before)
  await house.root.saveOption('SemanticCacheModel', EMBEDDER)
  await house.root.saveOption('SemanticCacheEntries', '10000')
})

test('a rule for what is asked is heeded first, and its change makes it another question', async () => {
  await keepOne('write to anna about the invoice')
  const rule = {
    name: 'words',
    enabled: true,
    where: ['input'],
    groups: [],
    models: [],
    looks: { by: 'words', words: ['invoice'] },
    action: 'block',
  }
  await house.root.saveOption('Guards', JSON.stringify([rule]))
  const before = embedded()
  expect((await house.like(chat, 'about the invoice write to anna')).status).toBe(400)
  expect(embedded()).toBe(before)
  await house.root.saveOption('Guards', JSON.stringify([{ ...rule, action: 'mask' }]))
  expect((await house.like(chat, 'about the invoice to anna write')).cache).toBe('miss')
  // The vendor of the vectors gets no more than that of the model.
  expect(house.embedder.requests.at(-1)?.text).not.toContain('invoice')
  await house.root.saveOption('Guards', '[]')
})

test('any vendor’s vectors will do', async () => {
  await house.root.saveOption('SemanticCacheModel', 'm-gemini')
  const before = askedOf(gemini)
  const first = await keepOne('does Google tell what this means?')
  expect(house.vendorOf(gemini).requests.at(-1)?.path).toMatch(/mbedContents?$/)
  const again = await house.like(chat, ' does Google tell what this means? ')
  expect([again.similarity, again.body, askedOf(gemini)]).toEqual(['1', first.body, before + 1])
  // What another model said of a question is nothing to compare with.
  await house.root.saveOption('SemanticCacheModel', EMBEDDER)
  expect((await house.like(chat, '  does Google tell what this means?')).cache).toBe('miss')
})

test('who cannot pay for an answer has nothing told at the operator’s cost', async () => {
  const before = embedded()
  for (const key of [poor, scarce]) {
    const refused = await house.like(chat, 'what is it that I can have?', { key })
    expect([refused.status, embedded()]).toEqual([403, before])
  }
})

test('the vendors’ own clients read what is given to a like question, whole and as a stream', async () => {
  const { url } = house.rig
  const apiKey = house.token.key
  const defaultHeaders = { [CACHE]: 'semantic' }
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders })
  const claude = new Anthropic({ apiKey, baseURL: url, maxRetries: 0, defaultHeaders })
  const messages = (content: string) => [{ role: 'user' as const, content }]
  const gather = async (stream: AsyncIterable<unknown>) => JSON.stringify(await Array.fromAsync(stream))
  const asks: ((text: string) => Promise<string>)[] = [
    async text =>
      JSON.stringify(await openai.chat.completions.create({ model: 'm-chat', messages: messages(text) })),
    async text =>
      gather(
        await openai.chat.completions.create({ model: 'm-chat', messages: messages(text), stream: true }),
      ),
    async text => (await openai.responses.create({ model: 'm-chat', input: text })).output_text,
    async text => gather(await openai.responses.create({ model: 'm-chat', input: text, stream: true })),
    async text =>
      JSON.stringify(
        await claude.messages.create({ model: 'm-claude', max_tokens: 99, messages: messages(text) }),
      ),
    text => gather(claude.messages.stream({ model: 'm-claude', max_tokens: 99, messages: messages(text) })),
  ]
  const before = askedOf(chat) + askedOf(anthropic)
  for (const say of asks) {
    const first = await say('by which clients is this read?')
    expect(first).toContain('clients')
    expect(await say('this is read by which clients?')).toBe(first)
  }
  expect(askedOf(chat) + askedOf(anthropic)).toBe(before + asks.length)
  const { response } = await openai.chat.completions
    .create({ model: 'm-chat', messages: messages('which clients: read by this?') })
    .withResponse()
  expect(response.headers.get('x-tollgate-cache-similarity')).toBe('1')
})

test('of many at once each is paid for what it got, and one text is told once', async () => {
  const first = await keepOne('how many can ask this at once?')
  const before = { asked: askedOf(chat), embedded: embedded() }
  const hits = /^tollgate_relay_answer_cache_total[^ ]*similar[^ ]* (\d+)$/m
  const counted = await told(hits)
  const others = [
    'at once how many can ask this?',
    'this many can ask how at once?',
    'ask this many at once?',
  ]
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, at) => house.like(chat, others[at % others.length] ?? '')),
  )
  expect(new Set(all.map(({ body, similarity }) => `${similarity} ${body}`))).toEqual(
    new Set([`1 ${first.body}`]),
  )
  expect([askedOf(chat), embedded()]).toEqual([before.asked, before.embedded + others.length])
  expect(await told(hits)).toBe(counted + all.length)
  const paid = Math.floor(((await house.rig.chargeOf(first.requestId)) ?? 0) / 2 + 0.5)
  for (const { requestId } of all) expect(await house.rig.chargeOf(requestId)).toBe(paid)
})
