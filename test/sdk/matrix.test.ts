import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serveLoopback } from '../serve-loopback.ts'
import { PNG } from './conversation.ts'
import { expectOrder, type House, MODELS, openHouse, PAIRS } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

let house: House
let fetched = 0
/** A neighbour of the gateway that has pictures; users may not make the gateway look inside the house. */
const neighbour = serveLoopback(() => {
  fetched++
  return new Response(Buffer.from(PNG, 'base64'), { headers: { 'content-type': 'image/png' } })
})
const IMAGE_URL = `${neighbour.url}cat.png`

beforeAll(async () => {
  house = await openHouse()
})
afterAll(async () => {
  await neighbour.stop(true)
  await house.close()
})

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, warm: { type: 'boolean' } },
  required: ['city', 'warm'],
  additionalProperties: false,
}

describe.each(PAIRS)('$client asks $upstream, streamed $stream', ({ client, upstream, stream }) => {
  const ask = (conversation: Parameters<House['clients']['gemini']['ask']>[1]) =>
    house.clients[client].ask(MODELS[upstream], conversation, stream)
  const finishes = () => house.clients[client].finishes

  test('a conversation with a system prompt, partly from the cache', async () => {
    const texts = [
      'You are terse.',
      'My name is Ada; this part is cached.',
      'Hello Ada! Übrigens: 你好 👋',
      'And what is my name?',
    ] as const
    const said = await ask({
      system: texts[0],
      turns: [{ user: texts[1] }, { assistant: texts[2] }, { user: texts[3] }],
    })
    expect(said.text).toBe('You said: And what is my name?')
    expect(said.thinking).toBe('')
    expect(said.calls).toEqual([])
    expect(said.finish).toBe(finishes().stop)
    // Every word of the conversation, and none besides.
    const input = Math.ceil(texts.join('').length / 4) + 7
    expect(said.usage).toEqual({ input, cached: Math.floor(input / 2), output: 8, reasoning: 0 })
    await house.expectPaid(upstream, said)
  })

  test('characters of every width', async () => {
    const text = '"quotes"\\ \n\t\u2028 é 漢字 👩‍👩‍👧 \u0000 </script>'
    const said = await ask({ turns: [{ user: text }] })
    expect(said.text).toBe(`You said: ${text}`)
    await house.expectPaid(upstream, said)
  })

  test('an answer that is cut by the limit', async () => {
    const said = await ask({ turns: [{ user: 'word '.repeat(40) }], maxTokens: 16 })
    expect(said.text).toBe(`You said: ${'word '.repeat(40)}`.slice(0, 64))
    expect(said.finish).toBe(finishes().length)
    expect(said.usage.output).toBe(16)
    await house.expectPaid(upstream, said)
  })

  test('a schema for the answer', async () => {
    const said = await ask({ turns: [{ user: 'Where is it warm? Answer in JSON.' }], schema: SCHEMA })
    expect(JSON.parse(said.text)).toEqual({ city: 'some city', warm: true })
    await house.expectPaid(upstream, said)
  })

  test('an image', async () => {
    const said = await ask({ turns: [{ user: 'What is this?', image: { base64: PNG } }] })
    expect(said.text).toBe(`saw image image/png ${Buffer.from(PNG, 'base64').length} bytes`)
    await house.expectPaid(upstream, said)
  })

  test('the address of an image', async () => {
    const asking = ask({ turns: [{ user: 'What is this?', image: { url: IMAGE_URL } }] })
    if (upstream === 'gemini' && client !== 'gemini') {
      // It takes no addresses, so the gateway would have to fetch it.
      const error = await catchError(asking)
      expect(statusOf(error)).toBe(400)
      expect(error.message).toContain('不允许访问该')
      expect(fetched).toBe(0)
      return
    }
    const said = await asking
    expect(said.text).toBe(`saw image url ${IMAGE_URL}`)
    await house.expectPaid(upstream, said)
  })

  // Clients of the Responses dialect cannot ask for stop strings.
  if (client === 'openai-responses') return
  test('a stop string', async () => {
    const said = await ask({ turns: [{ user: 'one two STOP three' }], stop: 'STOP' })
    expect(said.text).toBe('You said: one two ')
    const isCutHere = upstream === 'openai-responses' || upstream === 'openai-chat'
    const tellsStop = client === 'anthropic' && (upstream === 'anthropic' || isCutHere)
    expect(said.finish).toBe(tellsStop ? finishes().stopString : finishes().stop)
    // A stream in which nothing was thought is closed there, before the upstream has counted.
    if (upstream !== 'openai-responses' || !stream) return house.expectPaid(upstream, said)
    expect(await house.rig.chargeOf(said.requestId)).toBeGreaterThan(0)
  })
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
