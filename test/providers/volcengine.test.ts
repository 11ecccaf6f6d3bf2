import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startVolcengine } from '../upstreams/volcengine/start.ts'
import { openVendor, type VendorHouse } from './house.ts'

const SEES = 'doubao-embedding-vision-251215'
const READS = 'doubao-embedding-large-text-250515'
const picture = { type: 'image_url', image_url: { url: 'https://images.example/cat.png' } }

let house: VendorHouse
beforeAll(async () => {
  house = await openVendor({ type: 45, start: startVolcengine, models: [SEES, READS] })
})
afterAll(() => house.close())

test.each([['two words'], [['two words']]])('a vector of %j, as every program asks for one', async input => {
  const response = await house.post('/v1/embeddings', { model: SEES, input, dimensions: 4, user: 'me' })
  const { object, data, usage } = await response.json()
  expect([object, data[0].index, data[0].embedding.length]).toEqual(['list', 0, 4])
  expect([data.length, usage.prompt_tokens]).toEqual([1, 3])
  expect(house.seen().path).toBe('/api/v3/embeddings/multimodal')
  const parts = [{ type: 'text', text: 'two words' }]
  expect(house.body()).toEqual({ model: SEES, input: parts, dimensions: 4 })
  await house.expectCharge(response, SEES, { input: 3 })
})

test('a text and a picture are one vector', async () => {
  const input = [{ type: 'text', text: 'two words' }, picture]
  const more = { instructions: 'Find it.', sparse_embedding: { type: 'disabled' } }
  const response = await house.post('/v1/embeddings', { model: SEES, input, ...more })
  expect((await response.json()).data).toHaveLength(1)
  expect(house.body()).toEqual({ model: SEES, input, ...more })
  await house.expectCharge(response, SEES, { input: 3, imageInput: 300 })
})

test('packed, and in Google’s words', async () => {
  const asked = { model: SEES, input: 'one', encoding_format: 'base64' }
  const { data } = await (await house.post('/v1/embeddings', asked)).json()
  expect(Buffer.from(data[0].embedding, 'base64')).toHaveLength(32)
  const content = { parts: [{ text: 'one' }] }
  const response = await house.post(`/v1beta/models/${SEES}:embedContent`, { content })
  expect((await response.json()).embedding.values).toHaveLength(8)
})

test('a list of one, as some accounts get it, is one too', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
  house.fake.next({
    status: 200,
    body: { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } },
  })
  const response = await house.post('/v1/embeddings', { model: SEES, input: 'one' })
  expect((await response.json()).data).toEqual(data)
})

test('several texts are not taken for one', async () => {
  const before = house.fake.requests.length
  for (const input of [
    ['one', 'two'],
    [1, 2],
    ['one', picture],
  ])
    expect((await house.post('/v1/embeddings', { model: SEES, input })).status).toBe(400)
  expect(house.fake.requests.length).toBe(before)
})

test('models that only read stay where they are', async () => {
  const response = await house.post('/v1/embeddings', { model: READS, input: ['one', 'two words'] })
  expect((await response.json()).data).toHaveLength(2)
  expect(house.seen().path).toBe('/api/v3/embeddings')
  await house.expectCharge(response, READS, { input: 4 })
})

test('nothing that reached it was wrong, and the books agree', () => house.expectOrder())
