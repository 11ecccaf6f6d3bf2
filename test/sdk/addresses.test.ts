import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expectOrder, type House, MODELS, openHouse } from './house.ts'

const EMBEDDING = 'text-embedding-3-small'
const messages = [{ role: 'user' as const, content: 'Hello' }]

let house: House
beforeAll(async () => {
  house = await openHouse({ more: { 'openai-chat': [EMBEDDING] } })
})
afterAll(() => house.close())

/** Where the clients of others have it: LiteLLM below the root, Google's for those of OpenAI behind its version. */
describe.each(['', '/v1beta/openai'])('OpenAI’s client at %p', below => {
  const client = () => new OpenAI({ apiKey: house.key, baseURL: house.rig.url + below, maxRetries: 0 })

  test('chat, whole and streamed', async () => {
    const model = MODELS.anthropic
    const { choices } = await client().chat.completions.create({ model, messages })
    expect(choices[0]?.message.content).toBe('You said: Hello')
    const stream = await client().chat.completions.create({ model, messages, stream: true })
    const pieces = await Array.fromAsync(stream)
    expect(pieces.map(piece => piece.choices[0]?.delta.content ?? '').join('')).toBe('You said: Hello')
  })

  test('responses, and one that is stored', async () => {
    const { id, output_text } = await client().responses.create({
      model: MODELS['openai-responses'],
      input: 'Hello',
    })
    expect(output_text).toBe('You said: Hello')
    expect((await client().responses.retrieve(id)).id).toBe(id)
  })

  test('embeddings, files and batches', async () => {
    const { data } = await client().embeddings.create({ model: EMBEDDING, input: ['a', 'b'] })
    expect(data.length).toBe(2)
    expect((await client().files.list()).data).toEqual([])
    expect((await client().batches.list()).data).toEqual([])
  })

  test('models', async () => {
    const { data } = await client().models.list()
    expect(data.map(model => model.id)).toContain(MODELS.gemini)
    expect((await client().models.retrieve(MODELS.gemini)).id).toBe(MODELS.gemini)
  })

  test('a key that is none', async () => {
    const stranger = client().withOptions({ apiKey: 'sk-0123456789abcdef0123456789abcdef' })
    for (const call of [stranger.models.list(), stranger.chat.completions.create({ model: 'x', messages })])
      expect(await call.catch((error: unknown) => error)).toBeInstanceOf(OpenAI.AuthenticationError)
  })
})

test('Anthropic’s client and Google’s, at LiteLLM’s addresses for them', async () => {
  const anthropic = new Anthropic({ apiKey: house.key, baseURL: `${house.rig.url}/anthropic`, maxRetries: 0 })
  const { content } = await anthropic.messages.create({ model: MODELS.gemini, max_tokens: 100, messages })
  expect(content).toEqual([expect.objectContaining({ type: 'text', text: 'You said: Hello' })])
  const google = new GoogleGenAI({
    apiKey: house.key,
    httpOptions: { baseUrl: `${house.rig.url}/gemini` },
  })
  const { text } = await google.models.generateContent({ model: MODELS.anthropic, contents: 'Hello' })
  expect(text).toBe('You said: Hello')
})

test('pages of other sites may ask there too, and who brings no key sees the console', async () => {
  const asked = await fetch(`${house.rig.url}/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  for (const path of ['/models', '/files', '/responses']) {
    const page = await fetch(house.rig.url + path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }
})

test('what is not served at the usual address is not served below the root', async () => {
  for (const path of [
    '/chat',
    '/chat/completions/more',
    '/messages',
    '/completions/x',
    '/anthropic/api/status',
  ]) {
    const { status } = await fetch(house.rig.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}` },
    })
    expect([path, status]).toEqual([path, 404])
  }
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
