import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { recordIds } from './conversation.ts'
import { DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

// Responses that OpenAI stores, looked at and deleted with its SDK by whom they were made for.

const rule = { enabled: true, where: ['output'], groups: [], action: 'mask' }
const RULES = [
  { ...rule, name: 'people', models: ['gpt-5.4'], looks: { by: 'kinds', kinds: ['email'] } },
  { ...rule, name: 'others', models: ['gpt-none'], looks: { by: 'words', words: ['Mail'] } },
]

const ids = recordIds()
const model = MODELS['openai-responses']
let house: House
let openai: OpenAI
beforeAll(async () => {
  house = await openHouse({ settings: { Guards: JSON.stringify(RULES) } })
  openai = clientOf(house.key)
})
afterAll(() => house.close())

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${house.rig.url}/v1`, maxRetries: 0, fetch: ids.fetch })
}

const asked = () => house.fakes['openai-responses'].requests.length

test.each([false, true])('is seen with what it was made from, and deleted; streamed %p', async stream => {
  const balance = await house.rig.balance(house.userId)
  const made = stream
    ? await openai.responses.stream({ model, input: 'Good morning' }).finalResponse()
    : await openai.responses.create({ model, input: 'Good morning' })
  const paid = balance - (await house.rig.balance(house.userId))
  const seen = await openai.responses.retrieve(made.id, { include: ['reasoning.encrypted_content'] })
  expect(seen).toMatchObject({ id: made.id, status: 'completed', output_text: 'You said: Good morning' })
  const items = await Array.fromAsync(openai.responses.inputItems.list(made.id, { limit: 5, order: 'asc' }))
  expect(items).toMatchObject([{ type: 'message', role: 'user', content: 'Good morning' }])
  expect(house.seen('openai-responses').query).toEqual({ limit: '5', order: 'asc' })
  await openai.responses.delete(made.id)
  expect(statusOf(await catchError(openai.responses.retrieve(made.id)))).toBe(404)
  expect(balance - (await house.rig.balance(house.userId))).toBe(paid)
})

test('is nobody else’s to see, nor to delete', async () => {
  const { id } = await openai.responses.create({ model, input: 'A secret' })
  const before = asked()
  const { key } = await house.rig.addToken({ userId: await house.rig.addUser() })
  const stranger = clientOf(key)
  expect(statusOf(await catchError(stranger.responses.retrieve(id)))).toBe(404)
  expect(statusOf(await catchError(stranger.responses.inputItems.list(id)))).toBe(404)
  expect(statusOf(await catchError(stranger.responses.delete(id)))).toBe(404)
  expect(asked()).toBe(before)
  expect((await openai.responses.retrieve(id)).output_text).toBe('You said: A secret')
})

test.each(DIALECTS.filter(upstream => upstream !== 'openai-responses'))(
  'is not there where %s answered, which stores none',
  async upstream => {
    const { id } = await openai.responses.create({ model: MODELS[upstream], input: 'Good morning' })
    expect(statusOf(await catchError(openai.responses.retrieve(id)))).toBe(404)
  },
)

test('what the operator’s rules mask in answers is masked when they are seen again', async () => {
  house.fakes['openai-responses'].next({ reply: { text: 'Mail ada@example.com' } })
  const made = await openai.responses.create({ model, input: 'Who?' })
  expect(made.output_text).toBe('Mail [email]')
  expect((await openai.responses.retrieve(made.id)).output_text).toBe('Mail [email]')
})

test('a stream of it is not to be had', async () => {
  const { id } = await openai.responses.create({ model, input: 'Good morning' })
  const error = await catchError(openai.responses.retrieve(id, { stream: true }))
  expect(statusOf(error)).toBe(400)
})

test('the vendor had to complain of what was deleted alone, and the books agree', () =>
  expectOrder(house, [expect.stringContaining('not found'), expect.stringContaining('not found')]))
