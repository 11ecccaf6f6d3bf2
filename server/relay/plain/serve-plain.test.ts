import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openRig, type Rig } from '../../../test/relay/rig.ts'
import { requestIdOf } from '../../../test/relay/ways.ts'
import {
  brokenJson,
  emptyBody,
  type FakeUpstream,
  startAnthropic,
  startGemini,
  startOpenai,
  under200,
} from '../../../test/upstreams/index.ts'
import type { JsonObject } from '../../dialects/json.ts'

const models = [
  'text-embedding-3-small',
  'gpt-3.5-turbo',
  'tts-1',
  'gpt-4o-mini-tts',
  'whisper-1',
  'gpt-4o-transcribe',
  'gpt-image-1',
  'dall-e-3',
  'omni-moderation-latest',
  'rerank-2',
  'gpt-4o',
]

let rig: Rig
let openai: FakeUpstream
let gemini: FakeUpstream
let anthropic: FakeUpstream
let key = ''
let poor = ''

beforeAll(async () => {
  openai = await startOpenai()
  gemini = await startGemini()
  anthropic = await startAnthropic()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    poor = (await books.addToken({ userId: await books.addUser({ quota: 10 }) })).key
    await books.addChannel({
      type: 1,
      baseUrl: openai.url,
      key: openai.key,
      models: [...models, 'my-ears'],
      mapping: { 'my-ears': 'whisper-1' },
    })
    await books.setOption('ModelRatio', JSON.stringify({ 'my-ears': 3, 'my-vectors': 1 }))
    await books.addChannel({
      type: 24,
      baseUrl: gemini.url,
      key: gemini.key,
      models: ['gemini-embedding-001', 'gemini-2.5-pro'],
    })
    await books.addChannel({
      type: 14,
      baseUrl: anthropic.url,
      key: anthropic.key,
      models: ['claude-sonnet-4-6'],
    })
  })
})

afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of [openai, gemini, anthropic]) {
    expect(fake.complaints).toEqual([])
    await fake.stop()
  }
})

function post(path: string, body: JsonObject | FormData, more: { key?: string; signal?: AbortSignal } = {}) {
  const isForm = body instanceof FormData
  return fetch(rig.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${more.key ?? key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
    ...(more.signal ? { signal: more.signal } : {}),
  })
}

/** What was charged by the time the answer was here. */
async function charged(response: Response): Promise<number | undefined> {
  return rig.chargeOf(requestIdOf(response))
}

function sound(model: string, bytes: number, more: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], 'talk "1".mp3', { type: 'audio/mpeg' }))
  form.append('model', model)
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  return form
}

describe('embeddings', () => {
  test('pass as they are and are charged as the vendor counts', async () => {
    const input = ['good', 'morning']
    const response = await post('/v1/embeddings', { model: 'text-embedding-3-small', input, dimensions: 4 })
    expect(response.status).toBe(200)
    expect(await charged(response)).toBe(1)
    const body = (await response.json()) as {
      data: { embedding: number[] }[]
      usage: { prompt_tokens: number }
    }
    expect(body.data.map(one => one.embedding.length)).toEqual([4, 4])
    const { prompt_tokens } = await rig.logOf(requestIdOf(response))
    expect(prompt_tokens).toBe(body.usage.prompt_tokens)
  })

  test('tokens instead of texts, and the address with the model in it', async () => {
    const response = await post('/v1/engines/text-embedding-3-small/embeddings', { input: [1, 2, 3] })
    expect(response.status).toBe(200)
    expect(openai.requests.at(-1)?.json).toEqual({ input: [1, 2, 3], model: 'text-embedding-3-small' })
  })

  test('are counted here when the vendor does not say', async () => {
    openai.next({ usage: 'none' })
    const response = await post('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input: 'good morning to you',
    })
    await response.json()
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(4)
  })

  test('from a Google upstream, as base64', async () => {
    const asked = { model: 'gemini-embedding-001', input: 'hi', dimensions: 4, encoding_format: 'base64' }
    const response = await post('/v1/embeddings', asked)
    expect(response.status).toBe(200)
    const body = (await response.json()) as {
      data: { embedding: string }[]
      model: string
      usage: JsonObject
    }
    expect(Buffer.from(body.data[0]?.embedding ?? '', 'base64').length).toBe(16)
    expect(body.model).toBe('gemini-embedding-001')
    expect(body.usage).toEqual({ prompt_tokens: 1, total_tokens: 1 })
  })

  test('in the form of Google, one and several, from both upstreams', async () => {
    const one = (text: string) => ({ content: { parts: [{ text }] }, outputDimensionality: 4 })
    for (const model of ['gemini-embedding-001', 'text-embedding-3-small']) {
      const single = await post(`/v1beta/models/${model}:embedContent`, one('hi'))
      const alone = (await single.json()) as { embedding: { values: number[] } }
      expect([model, single.status, alone.embedding.values.length]).toEqual([model, 200, 4])
      const requests = ['hi', 'you'].map(text => ({ model: `models/${model}`, ...one(text) }))
      const many = await post(`/v1beta/models/${model}:batchEmbedContents`, { requests })
      const { embeddings } = (await many.json()) as { embeddings: { values: number[] }[] }
      expect([model, many.status, embeddings.length]).toEqual([model, 200, 2])
      expect(embeddings[0]).toEqual(alone.embedding)
      expect(await charged(many)).toBe(1)
    }
  })

  test('that fail cost nothing', async () => {
    for (const script of [emptyBody, brokenJson, under200(openai.failWith('overloaded'))]) {
      openai.next(script)
      const response = await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(await charged(response)).toBeUndefined()
    }
  })
})

describe('completions', () => {
  test('plain', async () => {
    const response = await post('/v1/completions', {
      model: 'gpt-3.5-turbo',
      prompt: 'good morning',
      max_tokens: 9,
    })
    const body = (await response.json()) as { choices: { text: string }[]; usage: JsonObject }
    expect(body.choices[0]?.text).toBeString()
    const row = await rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([
      Number(body.usage.prompt_tokens),
      Number(body.usage.completion_tokens),
    ])
  })

  test('streamed: usage is asked for, charged, and not shown to who did not ask', async () => {
    const response = await post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream: true })
    const text = await response.text()
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(text).not.toContain('prompt_tokens')
    expect(openai.requests.at(-1)?.json).toMatchObject({ stream_options: { include_usage: true } })
    expect(await charged(response)).toBeGreaterThan(0)
    expect((await rig.logOf(requestIdOf(response))).completion_tokens).toBe(
      openai.served.at(-1)?.tally.output ?? -1,
    )
  })

  test('a stream without usage, and one that is cut, are counted by their text', async () => {
    openai.next({ usage: 'none', reply: { text: 'one two three four' } })
    const whole = await post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream: true })
    await whole.text()
    expect((await rig.logOf(requestIdOf(whole))).completion_tokens).toBe(4)
    openai.next({ reply: { text: 'one two three four five six' }, cutAfterFrames: 3 })
    const cut = await post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream: true })
    const text = await cut.text()
    expect(text).not.toContain('[DONE]')
    expect(text).toContain('"error"')
    expect((await rig.logOf(requestIdOf(cut))).completion_tokens).toBe(3)
  })
})

describe('rerank and moderations', () => {
  test('rerank', async () => {
    const response = await post('/v1/rerank', {
      model: 'rerank-2',
      query: 'red',
      documents: ['a red fox', 'blue'],
    })
    const body = (await response.json()) as { results: { index: number }[]; usage: { total_tokens: number } }
    expect(body.results[0]?.index).toBe(0)
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(body.usage.total_tokens)
  })

  test('moderations are free, and need no model', async () => {
    const response = await post('/v1/moderations', { input: 'violence' }, { key: poor })
    const body = (await response.json()) as { results: { flagged: boolean }[] }
    expect(body.results[0]?.flagged).toBe(true)
    expect(openai.requests.at(-1)?.json).toEqual({ input: 'violence', model: 'omni-moderation-latest' })
    expect(Math.abs((await charged(response)) ?? 0)).toBe(0)
  })
})

describe('pictures', () => {
  test('by the piece and by the token', async () => {
    const dall = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a fox', n: 2 })
    expect(((await dall.json()) as { data: unknown[] }).data.length).toBe(2)
    expect(await charged(dall)).toBe(40_000)
    const gpt = await post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a fox' })
    await gpt.json()
    const { tally } = openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    expect(await charged(gpt)).toBe(Math.round(tally.input * 2.5 + tally.output * 20))
  })

  test('fewer than asked for cost what came', async () => {
    openai.next({ body: { created: 1, data: [{ url: 'http://127.0.0.1:1/x.png' }] } })
    const response = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a fox', n: 3 })
    await response.json()
    expect(await charged(response)).toBe(20_000)
  })

  test('counts that nobody can mean are refused before anyone is asked', async () => {
    const asked = openai.requests.length
    for (const n of ['-1', '0', '0.5', '18446744073686646784', '1e400', '"5"', '129']) {
      const response = await fetch(`${rig.url}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: `{"model":"dall-e-3","prompt":"a","n":${n}}`,
      })
      expect([n, response.status]).toEqual([n, 400])
      const { error } = (await response.json()) as { error: { param: string } }
      expect(error.param).toBe('n')
    }
    expect(openai.requests.length).toBe(asked)
  })

  test('who cannot pay is not served', async () => {
    const asked = openai.requests.length
    const response = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a' }, { key: poor })
    expect(response.status).toBe(403)
    expect(openai.requests.length).toBe(asked)
  })

  test('streamed: the last picture comes when it is paid', async () => {
    const picture = (type: string, more = '') =>
      `event: ${type}\ndata: {"type":"${type}","b64_json":"AAAA"${more}}\n\n`
    const usage = ',"usage":{"total_tokens":282,"input_tokens":10,"output_tokens":272}'
    const done = picture('image_generation.completed', usage)
    openai.next({
      status: 200,
      headers: { 'Content-Type': 'text/event-stream' },
      body: picture('image_generation.partial_image') + done,
    })
    const response = await post('/v1/images/generations', {
      model: 'gpt-image-1',
      prompt: 'a',
      stream: true,
      partial_images: 1,
    })
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(await response.text()).toEndWith(done)
    expect(await charged(response)).toBe(Math.round(10 * 2.5 + 272 * 20))
  })

  test('edited: files and fields arrive as they were sent', async () => {
    const form = new FormData()
    form.append('model', 'gpt-image-1')
    form.append('prompt', 'wëb')
    for (const name of ['a.png', 'b.png'])
      form.append('image[]', new File([name], name, { type: 'image/png' }))
    const response = await post('/v1/images/edits', form)
    expect(response.status).toBe(200)
    const seen = openai.requests.at(-1)?.form
    expect(seen?.get('prompt')).toBe('wëb')
    const files = (seen?.getAll('image[]') ?? []) as File[]
    expect(files.map(file => [file.name, file.type])).toEqual([
      ['a.png', 'image/png'],
      ['b.png', 'image/png'],
    ])
    expect(await charged(response)).toBeGreaterThan(0)
  })

  test('an answer beyond what is held passes, byte for byte', async () => {
    const head = '{"created":1,"data":[{"b64_json":"'
    const body = `${head}${'A'.repeat(34 * 1024 * 1024)}"}],"usage":{"input_tokens":10,"output_tokens":272,"total_tokens":282}}`
    openai.next({ body: new TextEncoder().encode(body) })
    const response = await post('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a' })
    expect((await response.text()) === body).toBe(true)
    expect(await charged(response)).toBe(Math.round(10 * 2.5 + 272 * 20))
  })
})

describe('speech', () => {
  test('is paid by the character, and its bytes pass', async () => {
    const asked = { model: 'tts-1', input: 'good morning 😀', voice: 'alloy', response_format: 'opus' }
    const response = await post('/v1/audio/speech', asked)
    expect(response.headers.get('content-type')).toBe('audio/opus')
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(asked.input.repeat(10))
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(14)
    expect(await charged(response)).toBe(Math.round(14 * 7.5))
  })

  test('as events, by what they tell', async () => {
    const asked = { model: 'gpt-4o-mini-tts', input: 'good morning', voice: 'alloy', stream_format: 'sse' }
    const response = await post('/v1/audio/speech', asked)
    expect(await response.text()).toContain('speech.audio.done')
    const { tally } = openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    const row = await rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
    expect(row.details.audio_output).toBe(tally.output)
  })

  test('that breaks off is paid in part, and does not look whole', async () => {
    openai.next({ cutAfterBytes: 9000, chunkBytes: 1000 })
    const response = await post('/v1/audio/speech', {
      model: 'tts-1',
      input: 'x'.repeat(2000),
      voice: 'alloy',
    })
    const ended = await response.arrayBuffer().then(
      () => 'whole',
      () => 'broken',
    )
    expect(ended).toBe('broken')
    const { prompt_tokens } = await rig.logOf(requestIdOf(response))
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(prompt_tokens).toBeLessThan(10)
  })

  test('that comes as an error is none', async () => {
    openai.next(under200(openai.failWith('overloaded')))
    const response = await post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' })
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await charged(response)).toBeUndefined()
  })

  test('that breaks off before anything was handed on costs nothing', async () => {
    openai.next({ cutAfterBytes: 1000 })
    const response = await post('/v1/audio/speech', {
      model: 'tts-1',
      input: 'x'.repeat(2000),
      voice: 'alloy',
    })
    expect(response.status).toBe(502)
    expect(await charged(response)).toBeUndefined()
  })

  test('waits for a slow client; when that leaves it is paid once, and the upstream is told', async () => {
    const size = 50_000_000
    openai.next({
      body: new Uint8Array(size),
      headers: { 'Content-Type': 'audio/mpeg' },
      chunkBytes: 100_000,
    })
    const leaving = new AbortController()
    const asked = { model: 'tts-1', input: 'hello', voice: 'alloy' }
    const response = await post('/v1/audio/speech', asked, { signal: leaving.signal })
    await response.body?.getReader().read()
    const served = openai.served.at(-1)
    leaving.abort()
    await served?.done
    expect(served?.aborted).toBe(true)
    expect(served?.bytes).toBeLessThan(size)
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(5)
  })
})

describe('transcripts', () => {
  test('by the second, under another name, with the file as it was', async () => {
    const response = await post('/v1/audio/transcriptions', sound('my-ears', 30_000, { language: 'de' }))
    const { text } = (await response.json()) as { text: string }
    expect(text).toContain('30000 bytes')
    const form = openai.requests.at(-1)?.form
    expect([form?.get('model'), form?.get('language')]).toEqual(['whisper-1', 'de'])
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(500)
    expect(await charged(response)).toBe(1500)
  })

  test('as words, by a guess from the size', async () => {
    const response = await post(
      '/v1/audio/translations',
      sound('whisper-1', 32_000, { response_format: 'text' }),
    )
    expect(response.headers.get('content-type')).toStartWith('text/plain')
    expect(await response.text()).toContain('32000 bytes')
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(34)
  })

  test('as events', async () => {
    const response = await post(
      '/v1/audio/transcriptions',
      sound('gpt-4o-transcribe', 5000, { stream: 'true' }),
    )
    expect(await response.text()).toContain('transcript.text.done')
    const { tally } = openai.served.at(-1) ?? { tally: { input: 0, output: 0 } }
    const row = await rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([tally.input, tally.output])
  })

  test('of no form, or of a hostile one, are refused', async () => {
    const bodies: [string, string][] = [
      ['application/json', '{"model":"whisper-1"}'],
      [`multipart/form-data; boundary=${'-'.repeat(10_000)}`, '-'.repeat(1_000_000)],
      ['multipart/form-data; boundary=b', '--b\r\nX'],
    ]
    for (const [type, body] of bodies) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type }
      const response = await fetch(`${rig.url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
      expect([type.slice(0, 40), response.status]).toEqual([type.slice(0, 40), 400])
    }
  })
})

describe('counting tokens', () => {
  const messages = [{ role: 'user', content: 'good morning' }]
  test.each(['claude-sonnet-4-6', 'gpt-4o'])('for clients of Anthropic: %s', async model => {
    const response = await post('/v1/messages/count_tokens', { model, messages })
    expect(response.status).toBe(200)
    const { input_tokens } = (await response.json()) as { input_tokens: number }
    expect(input_tokens).toBeGreaterThan(1)
    expect(await charged(response)).toBeUndefined()
  })

  test.each(['gemini-2.5-pro', 'gpt-4o'])('for clients of Google: %s', async model => {
    const contents = [{ role: 'user', parts: [{ text: 'good morning' }] }]
    for (const body of [{ contents }, { generateContentRequest: { model: `models/${model}`, contents } }]) {
      const response = await post(`/v1beta/models/${model}:countTokens`, body)
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
        200,
        expect.arrayContaining(['totalTokens']),
      ])
    }
  })

  test('of a model that nobody has', async () => {
    const response = await post('/v1/messages/count_tokens', { model: 'nobody', messages })
    expect(response.status).toBe(503)
    expect(((await response.json()) as { type: string }).type).toBe('error')
  })
})
