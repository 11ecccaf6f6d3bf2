import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import { openAnthropicClient } from './anthropic-client.ts'
import { openChatClient } from './chat-client.ts'
import type { Client } from './conversation.ts'
import { openGeminiClient } from './gemini-client.ts'
import { DIALECTS, expectOrder, type House, MODELS, openHouse, PAIRS } from './house.ts'
import { openResponsesClient } from './responses-client.ts'
import { catchError, statusOf } from './sdk-errors.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const question = { turns: [{ user: 'one two three four five six seven eight' }] }

const OPENERS: Record<(typeof DIALECTS)[number], (url: string, key: string) => Client> = {
  'openai-chat': openChatClient,
  'openai-responses': openResponsesClient,
  anthropic: openAnthropicClient,
  gemini: openGeminiClient,
}

/** The class that each SDK throws for a status. */
const CLASSES = {
  400: { openai: OpenAI.BadRequestError, anthropic: Anthropic.BadRequestError },
  401: { openai: OpenAI.AuthenticationError, anthropic: Anthropic.AuthenticationError },
  500: { openai: OpenAI.InternalServerError, anthropic: Anthropic.InternalServerError },
  503: { openai: OpenAI.InternalServerError, anthropic: Anthropic.InternalServerError },
}

const API_ERRORS = {
  'openai-chat': OpenAI.APIError,
  'openai-responses': OpenAI.APIError,
  anthropic: Anthropic.APIError,
  gemini: ApiError,
}

function expectClass(error: Error, client: (typeof DIALECTS)[number], status: keyof typeof CLASSES): void {
  expect(error).toBeInstanceOf(API_ERRORS[client])
  if (client !== 'gemini')
    expect(error).toBeInstanceOf(CLASSES[status][client === 'anthropic' ? 'anthropic' : 'openai'])
  expect(statusOf(error)).toBe(status)
}

describe.each(PAIRS)('$client asks $upstream, streamed $stream', ({ client, upstream, stream }) => {
  const ask = () => house.clients[client].ask(MODELS[upstream], question, stream)

  test('what the vendor refuses is told in its words, and costs nothing', async () => {
    const before = await house.rig.balance(house.userId)
    house.fakes[upstream].next(house.fakes[upstream].failWith('bad-request', 'Your question is too odd.'))
    const error = await catchError(ask())
    expectClass(error, client, 400)
    expect(error.message).toContain('Your question is too odd.')
    expect(await house.rig.balance(house.userId)).toBe(before)
  })

  test('a vendor that fails', async () => {
    house.fakes[upstream].next(house.fakes[upstream].failTellingSecrets('server-error'))
    const error = await catchError(ask())
    expectClass(error, client, 500)
    expect(error.message).not.toContain(house.fakes[upstream].key)
    expect(error.message).not.toContain(house.fakes[upstream].url)
    // One that works again is not left alone for what it did before.
    expect((await ask()).text).toBe(`You said: ${question.turns[0]?.user}`)
  })
})

describe.each(DIALECTS.map(client => ({ client })))('$client', ({ client }) => {
  test.each([false, true])('a key that is none, streamed %p', async stream => {
    const stranger = OPENERS[client](house.rig.url, 'sk-0123456789abcdef0123456789abcdef')
    const error = await catchError(stranger.ask(MODELS[client], question, stream))
    expectClass(error, client, 401)
  })

  test.each([false, true])('a model that nobody serves, streamed %p', async stream => {
    const error = await catchError(house.clients[client].ask('gpt-4o', question, stream))
    expectClass(error, client, 503)
    expect(error.message).toContain('gpt-4o')
  })
})

test('a model that nobody serves is asked for once, by clients who try again otherwise', async () => {
  let asked = 0
  const counted = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked++
    return fetch(url, init)
  }
  const { key, rig } = house
  const openai = new OpenAI({ apiKey: key, baseURL: `${rig.url}/v1`, fetch: counted })
  const anthropic = new Anthropic({ apiKey: key, baseURL: rig.url, fetch: counted })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const model = 'gpt-4o'
  const [first, second] = [
    await catchError(openai.chat.completions.create({ model, messages })),
    await catchError(anthropic.messages.create({ model, messages, max_tokens: 9 })),
  ]
  expect([statusOf(first), statusOf(second), asked]).toEqual([503, 503, 2])
  // Claude Code waits for whatever says that it is overloaded.
  expect(second.message).toContain('"not_found_error"')
})

const STREAMS = PAIRS.filter(pair => pair.stream)

describe.each(STREAMS)('a stream that breaks: $client asks $upstream', ({ client, upstream }) => {
  const ask = () => house.clients[client].ask(MODELS[upstream], question, true)

  test.each([
    ['by an error of the vendor', { errorAfterFrames: 7 }],
    ['by a cut line', { cutAfterFrames: 7 }],
    ['by an end without an end', { cutAfterFrames: 7, politely: true }],
  ] as const)('%s', async (_how, script) => {
    const before = await house.rig.balance(house.userId)
    // Breaking before anything has come would be a failure like any other, and nothing to pay for.
    const until = house.clients[client].answering()
    house.fakes[upstream].next({ ...script, hold: { afterFrames: 6, until } })
    const error = await catchError(ask())
    expect(error).toBeInstanceOf(API_ERRORS[client])
    expect(error.message).not.toContain(house.fakes[upstream].url)
    await house.rig.differences()
    // What was said was said; and nobody pays for what was not.
    const paid = before - (await house.rig.balance(house.userId))
    expect(paid).toBeGreaterThan(0)
    expect(paid).toBeLessThanOrEqual(house.price(upstream))
    expect((await ask()).text).toBe(`You said: ${question.turns[0]?.user}`)
  })
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
