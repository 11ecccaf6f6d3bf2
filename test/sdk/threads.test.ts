import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { asArray } from '../../server/dialects/json.ts'
import { recordIds } from './conversation.ts'
import { bodyOf, DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

// Conversations that Anthropic keeps: its SDK sends what is new, and all of it again where a thread is not known.

const ids = recordIds()
let house: House
let anthropic: Anthropic
beforeAll(async () => {
  house = await openHouse()
  anthropic = clientOf(house.key)
})
afterAll(() => house.close())

function clientOf(apiKey: string): Anthropic {
  return new Anthropic({ apiKey, baseURL: house.rig.url, maxRetries: 0, fetch: ids.fetch })
}

const user = (content: string) => ({ role: 'user' as const, content })
const create = { max_tokens: 100, betas: ['message-threads-2026-08-12'] }

describe.each([{ stream: false }, { stream: true }])('streamed $stream', ({ stream }) => {
  test.each([...DIALECTS])('a thread goes on at %s', async upstream => {
    const thread = anthropic.beta.messages.thread({
      model: MODELS[upstream],
      max_tokens: 100,
      system: 'Be kind.',
    })
    const send = async (content: string) => {
      const turn = { messages: [user(content)] }
      return stream ? await thread.stream(turn.messages).finalMessage() : await thread.send(turn.messages)
    }
    expect((await send('Good morning')).content).toMatchObject([{ text: 'You said: Good morning' }])
    expect((await send('And good night')).content).toMatchObject([{ text: 'You said: And good night' }])
    expect(await house.rig.chargeOf(ids.last())).toBe(house.price(upstream))
    const { messages, thread: sent } = bodyOf(house.seen(upstream))
    if (upstream !== 'anthropic') return expect(sent).toBeUndefined()
    expect(sent).toMatchObject({ type: 'continue' })
    expect(asArray(messages)).toHaveLength(1)
  })
})

test('a thread is nobody else to go on from', async () => {
  const model = MODELS.anthropic
  const { id } = await anthropic.beta.messages.create({
    ...{ ...create, model, thread: { type: 'create' }, messages: [user('A secret')] },
  })
  const { key } = await house.rig.addToken({ userId: await house.rig.addUser() })
  const asking = clientOf(key).beta.messages.create({
    ...{ ...create, model, messages: [user('What was it?')] },
    thread: { type: 'continue', previous_message_id: id },
  })
  expect(await catchError(asking)).toBeInstanceOf(Anthropic.ThreadNotFoundError)
})

test('what its vendor says of a thread is told by the name that clients look for', async () => {
  const fixed = { type: 'invalid_request_error', message: 'This thread went on elsewhere.' }
  const details = { error_code: 'thread_already_continued', host: 'inside' }
  house.fakes.anthropic.next({ status: 400, body: { type: 'error', error: { ...fixed, details } } })
  const asking = anthropic.beta.messages.create({
    ...{ ...create, model: MODELS.anthropic, thread: { type: 'create' }, messages: [user('Hello')] },
  })
  const error = await catchError(asking)
  expect(error).toBeInstanceOf(Anthropic.ThreadAlreadyContinuedError)
  expect(JSON.stringify(error)).not.toContain('inside')
})

test.each(DIALECTS.filter(upstream => upstream !== 'anthropic'))(
  'to be made shorter by itself is not to be had from %s',
  async upstream => {
    const asking = anthropic.beta.messages.create({
      ...{ max_tokens: 100, model: MODELS[upstream], messages: [user('A long story')] },
      compaction: { type: 'summarize' },
    })
    const error = await catchError(asking)
    expect(statusOf(error)).toBe(400)
    expect(error.message).toContain('compaction')
  },
)

test('no vendor had to complain, and the books agree', () => expectOrder(house))
