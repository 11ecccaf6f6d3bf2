import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseObject } from '../../../server/dialects/json.ts'
import { anthropic, ask, chat, gemini, requestIdOf, type Way } from '../ways.ts'
import { openStreamHouse, pairs, type StreamHouse } from './stream-house.ts'

// Servers that are put together by hand: what they send is right, and what they call it is not.

let house: StreamHouse
beforeAll(async () => {
  house = await openStreamHouse()
})
afterAll(() => house.close())

const types = ['text/plain; charset=utf-8', 'application/json', 'application/octet-stream', '']

describe.each(pairs)('a stream of $name', pair => {
  test.each(types)('that is called "%s"', async type => {
    const usual = await house.stream(pair)
    for (const chunkBytes of [undefined, 1]) {
      const script = { headers: { 'Content-Type': type }, ...(chunkBytes && { chunkBytes }) }
      const { status, text, charge } = await house.stream(pair, { script })
      expect([status, charge]).toEqual([200, usual.charge])
      expect(text).toMatch(pair.client.endMark)
      expect(text).not.toMatch(pair.client.failMark)
    }
  })

  test('that is none is told as such, whatever it is called', async () => {
    for (const type of types) {
      for (const body of ['<h1>It works</h1>', 'OK', '', '{"ok":true}']) {
        const script = { status: 200, headers: { 'Content-Type': type }, body }
        const { status, charge } = await house.stream(pair, { script })
        expect([status, charge]).toEqual([502, undefined])
      }
    }
  })
})

test.each(types)('a stream of completions that is called "%s"', async type => {
  const call = async () => {
    const response = await fetch(`${house.rig.url}/v1/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}` },
      body: JSON.stringify({ model: chat.model, prompt: 'good morning', stream: true }),
    })
    const text = await response.text()
    return { status: response.status, text, charge: await house.rig.chargeOf(requestIdOf(response)) }
  }
  const usual = await call()
  house.vendorOf(chat).next({ headers: { 'Content-Type': type } })
  const odd = await call()
  expect([odd.status, odd.charge]).toEqual([200, usual.charge])
  expect(odd.text).toContain('data: [DONE]')
})

const chunk = (delta: object, more: object = {}): string => {
  const choices = [{ index: 0, delta, finish_reason: null, ...more }]
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: chat.model, choices })}\n\n`
}
const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const pieces = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Good ' }),
  chunk({ content: 'day' }),
]
const finish = chunk({}, { finish_reason: 'stop' })
const told = `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: chat.model, choices: [], usage })}\n\n`

describe('a stream that nobody asked for', () => {
  const clients: [string, Way][] = [chat, anthropic, gemini].map(way => [way.name, way])
  const streamed = (...frames: readonly string[]) => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    body: frames.join(''),
  })

  test.each(clients)('is one answer for a client of %s', async (_name, client) => {
    house.vendorOf(chat).next(streamed(...pieces, finish, told, 'data: [DONE]\n\n'))
    const response = await ask(house.rig.url, client, { key: house.key, model: chat.model })
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(parseObject(text)).toBeDefined()
    expect(text).toContain('"Good day"')
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.type, row.prompt_tokens, row.completion_tokens]).toEqual([2, 9, 3])
  })

  test.each(clients)('and is cut is no answer for a client of %s, and free', async (_name, client) => {
    house.vendorOf(chat).next(streamed(...pieces))
    const response = await ask(house.rig.url, client, { key: house.key, model: chat.model })
    expect(response.status).toBe(502)
    await response.text()
    expect(await house.rig.chargeOf(requestIdOf(response))).toBeUndefined()
  })
})
