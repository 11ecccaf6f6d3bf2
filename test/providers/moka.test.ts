import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { startMoka } from '../upstreams/moka/start.ts'
import { openVendor, type VendorHouse } from './house.ts'

const MODEL = 'm3e-base'
let house: VendorHouse

beforeAll(async () => {
  house = await openVendor({ type: 44, start: startMoka, models: [MODEL] })
})
afterAll(() => house.close())

test.each([
  ['one text', 'one text'],
  ['several', ['one', 'two words']],
] as const)('embeddings of %s', async (_name, input) => {
  const texts = typeof input === 'string' ? [input] : [...input]
  const asked = { model: MODEL, input: typeof input === 'string' ? input : texts, user: 'ada' }
  const response = await house.post('/v1/embeddings', { ...asked, encoding_format: 'float' })
  const { data, usage } = await response.json()
  expect(data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual(texts.map(() => 8))
  expect(house.body()).toEqual({ model: MODEL, input: texts })
  await house.expectCharge(response, MODEL, { input: usage.prompt_tokens })
})

test('Google’s clients and those that want base64 are served too', async () => {
  const content = { parts: [{ text: 'one' }] }
  const google = await house.post(`/v1beta/models/${MODEL}:embedContent`, { content })
  expect((await google.json()).embedding.values).toHaveLength(8)
  const packed = await house.post('/v1/embeddings', { model: MODEL, input: 'one', encoding_format: 'base64' })
  const [{ embedding }] = (await packed.json()).data
  expect(Buffer.from(embedding, 'base64').length).toBe(8 * 4)
})

test('it has no chat, and the operator can test it', async () => {
  const before = house.fake.requests.length
  const messages = [{ role: 'user', content: 'Hi' }]
  const chat = await house.post('/v1/chat/completions', { model: MODEL, messages })
  expect([chat.status >= 400, house.fake.requests.length]).toEqual([true, before])
  const root = await rootClient(house.rig.url)
  expect((await root.get(`/api/channel/test/${house.channelId}`)).json.message).toBe('')
})

test('a refusal is told without its secrets, and it had nothing to complain of', async () => {
  house.fake.next(house.fake.failTellingSecrets('bad-request'))
  const text = await (await house.post('/v1/embeddings', { model: MODEL, input: 'one' })).text()
  expect([text.includes(house.fake.key), text.includes(house.fake.url)]).toEqual([false, false])
  await house.expectOrder()
})
