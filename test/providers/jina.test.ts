import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { startJina } from '../upstreams/jina/start.ts'
import { openVendor, type VendorHouse } from './house.ts'

const EMBED = 'jina-embeddings-v4'
const RERANK = 'jina-reranker-v3'
const failures = [
  { kind: 'too-long', leads: 'told' },
  { kind: 'bad-request', leads: 'told' },
  { kind: 'no-model', leads: 'retried' },
  { kind: 'no-balance', leads: 'retried' },
  { kind: 'rate-limit', leads: 'retried' },
  { kind: 'server-error', leads: 'retried' },
  { kind: 'overloaded', leads: 'retried' },
  { kind: 'timeout', leads: 'retried' },
  { kind: 'bad-key', leads: 'disabled' },
] as const

let house: VendorHouse
beforeAll(async () => {
  house = await openVendor({ type: 38, start: startJina, models: [EMBED, RERANK], failures })
})
afterAll(() => house.close())

test('embeddings, with what only Jina knows', async () => {
  const more = { task: 'retrieval.query', late_chunking: true, dimensions: 4 }
  const response = await house.post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'], ...more })
  const { data, usage } = await response.json()
  expect(data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([4, 4])
  expect(usage.prompt_tokens).toBe(4)
  expect(house.body()).toEqual({ model: EMBED, input: ['one', 'two words'], ...more })
  await house.expectCharge(response, EMBED, { input: 4 })
})

test.each(['base64', 'float'])('embeddings in %s', async encoding_format => {
  const asked = { model: EMBED, input: 'one', encoding_format, user: 'me' }
  const { data } = await (await house.post('/v1/embeddings', asked)).json()
  expect(house.body()).toEqual({ model: EMBED, input: 'one' })
  const [{ embedding }] = data
  const packed =
    typeof embedding === 'string' ? Buffer.from(embedding, 'base64').length / 4 : embedding.length
  expect([typeof embedding, packed]).toEqual([encoding_format === 'base64' ? 'string' : 'object', 8])
})

test('Google’s embeddings', async () => {
  const content = { parts: [{ text: 'one' }] }
  const response = await house.post(`/v1beta/models/${EMBED}:embedContent`, { content })
  expect((await response.json()).embedding.values).toHaveLength(8)
  await house.expectCharge(response, EMBED, { input: 1 })
})

test('documents are ranked and paid by their tokens', async () => {
  const documents = ['a', 'longer', { text: 'long' }]
  const asked = { model: RERANK, query: 'q', documents, top_n: 2, return_documents: false }
  const response = await house.post('/v1/rerank', asked)
  expect((await response.json()).results).toEqual([
    { index: 1, relevance_score: 0.06 },
    { index: 2, relevance_score: 0.04 },
  ])
  expect(house.body()).toEqual(asked)
  await house.expectCharge(response, RERANK, { input: 3 })
})

test('a count that is missing is made here', async () => {
  house.fake.next({ usage: 'none' })
  const response = await house.post('/v1/embeddings', { model: EMBED, input: 'How many tokens?' })
  const id = response.headers.get('x-oneapi-request-id') ?? ''
  expect(await house.rig.chargeOf(id)).toBeGreaterThan(0)
})

test('it has no chat', async () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const before = house.fake.requests.length
  const response = await house.post('/v1/chat/completions', { model: EMBED, messages })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(house.fake.requests.length).toBe(before)
})

test.each(failures)('$kind is $leads', async ({ kind, leads }) => {
  house.fake.next(house.fake.failWith(kind))
  const before = house.fake.requests.length
  const response = await house.post('/v1/embeddings', { model: house.failing(kind), input: 'one' })
  if (leads === 'told') {
    expect(response.status).toBe(house.fake.failWith(kind).status ?? 0)
    return expect(house.fake.requests.length).toBe(before + 1)
  }
  expect([response.status, house.fake.requests.length]).toEqual([200, before + 2])
  if (leads === 'disabled')
    await until(async () => ((await house.statusOf(house.failing(kind))) === 3 ? true : undefined))
  else expect(await house.statusOf(house.failing(kind))).toBe(1)
})

test('a refusal is told without its secrets', async () => {
  house.fake.next(house.fake.failTellingSecrets('bad-request'))
  const text = await (await house.post('/v1/embeddings', { model: EMBED, input: 'one' })).text()
  expect(text).not.toContain(house.fake.key)
  expect(text).not.toContain(house.fake.url)
})

test('Jina had nothing to complain of, and the books agree', () => house.expectOrder())
