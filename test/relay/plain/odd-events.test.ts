import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { requestIdOf } from '../ways.ts'
import { sampleHouse } from './plain-house.ts'

// Events of servers that speak as OpenAI does in all but these.

const house = sampleHouse()
const SAYING = 'ten letters and some more of them, which is what is paid for'
const PRICE = SAYING.length * 15
const sound = Buffer.alloc(30_000, 7).toString('base64')

const streamOf = (...events: (JsonObject | string)[]) => ({
  status: 200,
  headers: { 'Content-Type': 'text/event-stream' },
  body: events.map(one => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
})

/** The next answer of a server that makes sound; what it is promised comes when it is. */
let next: { readonly body: string; readonly rest?: Promise<string> } = { body: '' }
const server = serveLoopback(() => {
  const { body, rest } = next
  const stream = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(body))
      if (rest) controller.enqueue(Buffer.from(await rest))
      controller.close()
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
})
beforeAll(() =>
  house.rig.addChannel({ type: 102, baseUrl: server.url.origin, key: 'sound', models: ['tts-1-hd'] }),
)
afterAll(() => server.stop(true))

async function speak(answer: typeof next, more: { signal?: AbortSignal } = {}) {
  next = answer
  const asked = { model: 'tts-1-hd', input: SAYING, voice: 'alloy', stream: true }
  return until(async () => {
    const response = await house.post('/v1/audio/speech', asked, more)
    return response.status === 503 ? undefined : response
  })
}

const told = [
  { type: 'conversation.item.audio_output.delta', item_id: 'tts_1', delta: sound },
  { object: 'audio.tts.chunk', model: 'm', b64: sound },
  { type: 'speech.audio.delta', audio_data: sound },
]

test.each(told)('speech in events that nobody here knows is paid like any other: %p', async event => {
  const script = streamOf(event, event, '[DONE]')
  const whole = await speak(script)
  expect([await whole.text(), await house.charged(whole)]).toEqual([script.body, PRICE])
  const broken = await speak(streamOf(event, event))
  await broken.text()
  expect(await house.charged(broken)).toBe(PRICE)
})

test('and by who leaves with it', async () => {
  const leaving = new AbortController()
  const gate = Promise.withResolvers<string>()
  const { body } = streamOf(told[0] ?? {}, told[0] ?? {})
  const response = await speak({ body, rest: gate.promise }, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  expect((await house.rig.logOf(requestIdOf(response))).quota).toBe(PRICE)
  gate.resolve('')
})

async function hear(answer: object) {
  house.openai.next(answer)
  const form = new FormData()
  form.append('file', new File([new Uint8Array(32_000)], 'talk.mp3', { type: 'audio/mpeg' }))
  form.append('model', 'whisper-1')
  form.append('stream', 'true')
  const response = await house.post('/v1/audio/transcriptions', form)
  return { text: await response.text(), status: response.status, charge: await house.charged(response) }
}

test('a transcript in the chunks of a chat is paid, whole or broken off', async () => {
  const chunk = (content: string, finish_reason: string | null = null) => ({
    ...{ id: 'trsc-1', object: 'transcription.chunk', created: 1, model: 'm' },
    choices: [{ delta: { content }, finish_reason, stop_reason: null }],
  })
  const script = streamOf(chunk('all '), chunk('of it'), chunk('', 'stop'), '[DONE]')
  expect(await hear(script)).toEqual({ text: script.body, status: 200, charge: 34 * 3 })
  expect((await hear(streamOf(chunk('all '), chunk('of it')))).charge).toBe(34 * 3)
})

test('what ends before anything was said is no answer, and free', async () => {
  expect(await hear(streamOf('[DONE]'))).toMatchObject({ status: 502, charge: undefined })
})
