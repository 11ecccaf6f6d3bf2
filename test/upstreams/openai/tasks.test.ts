import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startGemini, startOpenai } from '../index.ts'

let fake: FakeUpstream
beforeAll(async () => {
  fake = await startOpenai()
})
afterAll(() => fake.stop())

function send(path: string, body?: JsonObject | FormData): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${fake.key}` }
  if (body instanceof FormData) return fetch(fake.url + path, { method: 'POST', headers, body })
  if (body === undefined) return fetch(fake.url + path, { headers })
  headers['content-type'] = 'application/json'
  return fetch(fake.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

test('embeddings are the same as numbers and as base64', async () => {
  const body = { model: 'text-embedding-3-small', input: ['one', 'two'] }
  const numbers = asObject(await (await send('/v1/embeddings', body)).json()) ?? {}
  const packed =
    asObject(await (await send('/v1/embeddings', { ...body, encoding_format: 'base64' })).json()) ?? {}
  const bytes = Buffer.from(String(asObject(asArray(packed.data)[1])?.embedding), 'base64')
  const unpacked = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  expect<unknown>(unpacked).toEqual(asObject(asArray(numbers.data)[1])?.embedding)
  expect(numbers.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
})

test('completions, moderations, rerank, images, models', async () => {
  const said = await send('/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'abc' })
  expect(await said.text()).toContain('You said: abc')
  const checked = await send('/v1/moderations', { input: ['peace', 'violence'] })
  expect(await checked.json()).toMatchObject({ results: [{ flagged: false }, { flagged: true }] })
  const ranked = await send('/v1/rerank', {
    model: 'bge',
    query: 'red fox',
    documents: ['a cow', 'a red fox'],
    top_n: 1,
  })
  expect(await ranked.json()).toMatchObject({
    results: [{ index: 1, relevance_score: 1 }],
    usage: { total_tokens: 6 },
  })
  const drawn = await send('/v1/images/generations', { model: 'gpt-image-2.5-flare', prompt: 'a fox', n: 2 })
  expect(await drawn.json()).toMatchObject({ usage: { input_tokens: 2, output_tokens: 544 } })
  expect(await (await send('/v1/models')).json()).toMatchObject({
    object: 'list',
    data: [{ id: 'gpt-4o' }, {}, {}],
  })
  expect(fake.complaints).toEqual([])
})

test('forms: a picture to edit, a sound to write down', async () => {
  const edit = new FormData()
  edit.set('model', 'gpt-image-2.5-flare')
  edit.set('prompt', 'brighter')
  edit.set('image', new File([new Uint8Array(10)], 'a.png', { type: 'image/png' }))
  expect(await (await send('/v1/images/edits', edit)).json()).toMatchObject({ usage: { input_tokens: 87 } })
  const sound = new FormData()
  sound.set('model', 'whisper-1')
  sound.set('file', new File([new Uint8Array(2500)], 'a.mp3'))
  const heard = await send('/v1/audio/transcriptions', sound)
  expect(await heard.json()).toEqual({
    text: 'heard a.mp3 of 2500 bytes',
    usage: { type: 'duration', seconds: 3 },
  })
  sound.set('response_format', 'text')
  expect(await (await send('/v1/audio/translations', sound)).text()).toBe('heard a.mp3 of 2500 bytes\n')
  sound.set('response_format', 'verbose_json')
  expect(await (await send('/v1/audio/transcriptions', sound)).json()).toMatchObject({ duration: 3 })
  sound.set('surprise', '1')
  expect((await send('/v1/audio/transcriptions', sound)).status).toBe(400)
  fake.complaints.length = 0
})

test('speech as bytes and as events', async () => {
  const body = { model: 'gpt-4o-mini-tts', input: 'hello', voice: 'alloy' }
  const bytes = await send('/v1/audio/speech', body)
  expect([bytes.headers.get('content-type'), (await bytes.arrayBuffer()).byteLength]).toEqual([
    'audio/mpeg',
    50,
  ])
  const events = await (await send('/v1/audio/speech', { ...body, stream_format: 'sse' })).text()
  expect(events).toContain(
    '"speech.audio.done","usage":{"input_tokens":2,"output_tokens":1,"total_tokens":3}',
  )
})

test('a Responses stream counts its events and ends with the whole response', async () => {
  const body = { model: 'gpt-5.5', input: 'hi', stream: true, reasoning: { effort: 'low', summary: 'auto' } }
  const text = await (await send('/v1/responses', body)).text()
  const events = text
    .split('\n\n')
    .filter(frame => frame !== '')
    .map(frame => asObject(JSON.parse(frame.slice(frame.indexOf('data: ') + 6))) ?? {})
  expect(events.map(event => event.sequence_number)).toEqual(events.map((_, at) => at))
  const types = events.map(event => String(event.type).replace('response.', ''))
  expect(types.filter(type => !type.endsWith('delta'))).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'content_part.added',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ])
  expect(JSON.stringify(events.at(-1))).toContain('You said: hi')
})

test('realtime: a conversation with usage for every answer', async () => {
  const url = `${fake.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`
  const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${fake.key}`])
  const heard: JsonObject[] = []
  const done = Promise.withResolvers<void>()
  socket.onmessage = message => {
    const event = asObject(JSON.parse(String(message.data))) ?? {}
    heard.push(event)
    if (event.type === 'session.created') {
      const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }
      socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
      socket.send(
        JSON.stringify({ type: 'input_audio_buffer.append', audio: Buffer.alloc(70_000).toString('base64') }),
      )
      socket.send(JSON.stringify({ type: 'response.create' }))
    }
    if (event.type === 'response.done') done.resolve()
  }
  socket.onerror = () => done.reject(new Error('the socket failed'))
  await done.promise
  socket.close()
  expect(asObject(heard.at(-1)?.response)?.usage).toEqual({
    total_tokens: 711,
    input_tokens: 708,
    output_tokens: 3,
    input_token_details: { text_tokens: 8, audio_tokens: 700, cached_tokens: 0 },
    output_token_details: { text_tokens: 3, audio_tokens: 0 },
  })
  await fake.served.at(-1)?.done
  expect(fake.served.at(-1)).toMatchObject({ status: 101, tally: { input: 708, output: 3 } })
  expect(fake.requests.at(-1)?.messages.map(message => message.type)).toEqual([
    'conversation.item.create',
    'input_audio_buffer.append',
    'response.create',
  ])
})

test('Gemini: a stream without alt=sse is an array, and vectors come alone or many', async () => {
  const gemini = await startGemini()
  const post = async (method: string, body: JsonObject) => {
    const headers = { 'x-goog-api-key': gemini.key, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${gemini.url}/v1beta/models/gemini-2.5-pro:${method}`, init)).json()
  }
  const content = { parts: [{ text: 'hi there' }] }
  expect(asArray(await post('streamGenerateContent', { contents: [content] }))).toHaveLength(5)
  expect(await post('countTokens', { contents: [content] })).toMatchObject({ totalTokens: 9 })
  const one = asObject(asObject(await post('embedContent', { content }))?.embedding)
  const request = { model: 'models/gemini-2.5-pro', content }
  const many = asObject(await post('batchEmbedContents', { requests: [request, request] }))
  expect(asArray(many?.embeddings)).toEqual([one ?? null, one ?? null])
  expect(gemini.complaints).toEqual([])
  await gemini.stop()
})
