import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../server/dialects/json.ts'
import { SseReader } from '../../server/dialects/sse.ts'
import type { CountedDialect } from './expected-usage.ts'
import {
  brokenJson,
  byteByByte,
  cutBeforeFirstFrame,
  emptyBody,
  emptyStream,
  endlessStream,
  expectedReply,
  expectedUsage,
  type FakeUpstream,
  megabytes,
  oddFrames,
  redirectTo,
  silence,
  startAnthropic,
  startAzure,
  startDeepseek,
  startGemini,
  startMistral,
  startOpenai,
  under200,
  usageOf,
  withoutUsage,
} from './index.ts'
import { textOfEvents } from './text-of-events.ts'

interface Case {
  readonly name: string
  readonly dialect: Exclude<CountedDialect, 'embeddings'>
  start(): Promise<FakeUpstream>
  /** Path of a plain and of a streamed call. */
  readonly path: string
  readonly streamPath?: string
  readonly keyHeader: (key: string) => Record<string, string>
  readonly body: (text: string) => JsonObject
  readonly streamFields?: JsonObject
  readonly input: (answer: JsonObject) => unknown
  /** Status and words for a wrong key, and for a field that nobody knows. */
  readonly badKey: number
  readonly unknown: readonly [status: number, words: string]
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const chatBody = (model: string) => (text: string) => ({ model, messages: [{ role: 'user', content: text }] })
const promptTokens = (answer: JsonObject) => asObject(answer.usage)?.prompt_tokens

const CASES: Case[] = [
  {
    name: 'OpenAI chat',
    dialect: 'openai-chat',
    start: () => startOpenai(),
    path: '/v1/chat/completions',
    keyHeader: bearer,
    body: chatBody('gpt-4o'),
    streamFields: { stream: true, stream_options: { include_usage: true } },
    input: promptTokens,
    badKey: 401,
    unknown: [400, 'Unrecognized request argument supplied: surprise'],
  },
  {
    name: 'OpenAI responses',
    dialect: 'openai-responses',
    start: () => startOpenai(),
    path: '/v1/responses',
    keyHeader: bearer,
    body: text => ({ model: 'gpt-4o', input: text }),
    streamFields: { stream: true },
    input: answer => asObject(answer.usage)?.input_tokens,
    badKey: 401,
    unknown: [400, "Unknown parameter: 'surprise'."],
  },
  {
    name: 'Anthropic',
    dialect: 'anthropic',
    start: () => startAnthropic(),
    path: '/v1/messages',
    keyHeader: key => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: text => ({ ...chatBody('claude-sonnet-4-6')(text), max_tokens: 1000 }),
    streamFields: { stream: true },
    input: answer => asObject(answer.usage)?.input_tokens,
    badKey: 401,
    unknown: [400, 'surprise: Extra inputs are not permitted'],
  },
  {
    name: 'Gemini',
    dialect: 'gemini',
    start: () => startGemini(),
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    streamPath: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    keyHeader: key => ({ 'x-goog-api-key': key }),
    body: text => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    streamFields: {},
    input: answer => asObject(answer.usageMetadata)?.promptTokenCount,
    badKey: 400,
    unknown: [400, 'Invalid JSON payload received. Unknown name \\"surprise\\": Cannot find field.'],
  },
  {
    name: 'Azure',
    dialect: 'openai-chat',
    start: () => startAzure(),
    path: '/openai/deployments/gpt-4o/chat/completions?api-version=2025-04-01-preview',
    keyHeader: key => ({ 'api-key': key }),
    body: chatBody('gpt-4o'),
    streamFields: { stream: true, stream_options: { include_usage: true } },
    input: promptTokens,
    badKey: 401,
    unknown: [400, 'Unrecognized request argument supplied: surprise'],
  },
  {
    name: 'Mistral',
    dialect: 'mistral',
    start: () => startMistral(),
    path: '/v1/chat/completions',
    keyHeader: bearer,
    body: chatBody('mistral-large-latest'),
    streamFields: { stream: true },
    input: promptTokens,
    badKey: 401,
    unknown: [422, '"extra_forbidden","loc":["body","surprise"]'],
  },
  {
    name: 'DeepSeek',
    dialect: 'deepseek',
    start: () => startDeepseek(),
    path: '/chat/completions',
    keyHeader: bearer,
    body: chatBody('deepseek-flash'),
    streamFields: { stream: true },
    input: promptTokens,
    badKey: 401,
    unknown: [200, ''],
  },
]

function send(
  fake: FakeUpstream,
  path: string,
  headers: Record<string, string>,
  body: JsonObject,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(fake.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  })
}

interface Event {
  readonly event: string
  readonly data: string
}

/** All events, and whether the connection broke before its end. */
async function readEvents(response: Response): Promise<{ events: Event[]; broke: boolean }> {
  const events: Event[] = []
  const reader = new SseReader((event, data) => events.push({ event, data }))
  let broke = false
  try {
    for await (const chunk of response.body ?? []) reader.push(chunk)
  } catch {
    broke = true
  }
  reader.end()
  return { events, broke }
}

describe.each(CASES)('$name', one => {
  let fake: FakeUpstream
  beforeAll(async () => {
    fake = await one.start()
  })
  afterAll(() => fake.stop())

  const call = (text: string, more: JsonObject = {}) =>
    send(fake, one.path, one.keyHeader(fake.key), { ...one.body(text), ...more })
  const stream = (text: string, signal?: AbortSignal) => {
    const body = { ...one.body(text), ...one.streamFields }
    return send(fake, one.streamPath ?? one.path, one.keyHeader(fake.key), body, signal)
  }

  test('answers a good call and counts it', async () => {
    const response = await call('good morning')
    const said = await response.text()
    expect(response.status).toBe(200)
    expect(said).toContain('You said: good morning')
    expect(expectedReply(one.dialect, one.body('good morning')).text).toBe('You said: good morning')
    const usage = expectedUsage(one.dialect, one.body('good morning'))
    expect(one.input(JSON.parse(said))).toBe(usage.input)
    expect(fake.served.at(-1)?.tally).toEqual(usage)
    expect(fake.served.at(-1)?.bytes).toBe(Buffer.byteLength(said))
    expect(fake.requests.at(-1)?.json).toEqual(one.body('good morning'))
    expect(fake.complaints).toEqual([])
  })

  test('streams, whole or byte by byte or oddly framed', async () => {
    for (const script of [{}, byteByByte, oddFrames]) {
      fake.next(script)
      const { events, broke } = await readEvents(await stream('grüße 漢字 😀 there'))
      expect(textOfEvents(events)).toBe('You said: grüße 漢字 😀 there')
      expect(broke).toBe(false)
    }
    expect(fake.complaints).toEqual([])
  })

  test('refuses a wrong key, an unknown field, a wrong path', async () => {
    const wrong = await send(fake, one.path, one.keyHeader('nonsense'), one.body('hi'))
    expect(wrong.status).toBe(one.badKey)
    const [status, words] = one.unknown
    const unknown = await call('hi', { surprise: 1 })
    expect(unknown.status).toBe(status)
    expect(await unknown.text()).toContain(words)
    const lost = await send(
      fake,
      one.path.replace(/\/([^/]*)$/, '//$1'),
      one.keyHeader(fake.key),
      one.body('hi'),
    )
    expect(lost.status).toBe(404)
    expect(fake.complaints.length).toBe(status === 200 ? 2 : 3)
    fake.complaints.length = 0
  })

  test('cuts a stream after frames and after bytes', async () => {
    fake.next({ cutAfterFrames: 4 })
    const frames = await readEvents(await stream('one two three four'))
    expect(frames.broke).toBe(true)
    expect(frames.events).toHaveLength(4)
    fake.next({ cutAfterBytes: 100 })
    const bytes = await readEvents(await stream('one two three four'))
    expect(bytes.broke).toBe(true)
    expect(fake.served.at(-1)).toMatchObject({ bytes: 100, aborted: false })
    fake.next(emptyStream)
    expect(await readEvents(await stream('hi'))).toEqual({ events: [], broke: false })
    fake.next(cutBeforeFirstFrame)
    expect(await readEvents(await stream('hi'))).toEqual({ events: [], broke: true })
  })

  test('tells an error inside the stream, and then no good end', async () => {
    fake.next({ errorAfterFrames: 2 })
    const { events } = await readEvents(await stream('one two three'))
    expect(
      events
        .slice(2)
        .map(({ data }) => data)
        .join(),
    ).toContain('"error"')
    expect(events.map(({ data }) => data)).not.toContain('[DONE]')
  })

  test('leaves usage out, or makes nonsense of it', async () => {
    fake.next(withoutUsage)
    expect(one.input(asObject(await (await call('hi')).json()) ?? {})).toBeUndefined()
    for (const value of [-1e6, 1e15, null, '5']) {
      fake.next(usageOf(value))
      expect(one.input(asObject(await (await call('hi')).json()) ?? {})).toBe(value)
    }
  })

  test('fails in the vendor’s own words', async () => {
    for (const kind of ['bad-key', 'rate-limit', 'server-error', 'overloaded', 'no-model'] as const) {
      fake.next(fake.failWith(kind))
      const response = await call('hi')
      const said = await response.json()
      expect({ status: response.status, body: said }).toMatchObject({
        status: fake.failWith(kind).status,
        body: fake.failWith(kind).body,
      })
    }
    fake.next(fake.failTellingSecrets('server-error'))
    expect(await (await call('hi')).text()).toContain(fake.key)
    expect(fake.complaints).toEqual([])
  })

  test('answers with bodies that are none', async () => {
    fake.next(emptyBody)
    expect(await (await call('hi')).text()).toBe('')
    fake.next(brokenJson)
    expect((await (await call('hi')).text()).endsWith(',')).toBe(true)
    fake.next(under200(fake.failWith('server-error')))
    const fine = await call('hi')
    expect([fine.status, await fine.text()]).toEqual([
      200,
      JSON.stringify(fake.failWith('server-error').body),
    ])
    fake.next(redirectTo('http://127.0.0.1:9/elsewhere'))
    expect((await call('hi')).headers.get('location')).toBe('http://127.0.0.1:9/elsewhere')
  })

  test('notices a client that leaves', async () => {
    const leave = new AbortController()
    fake.next(endlessStream)
    const response = await stream('hi', leave.signal)
    await response.body?.getReader().read()
    leave.abort()
    await fake.served.at(-1)?.done
    expect(fake.served.at(-1)).toMatchObject({ aborted: true, status: 200 })

    const bored = new AbortController()
    fake.next(silence)
    const before = fake.served.length
    const silent = stream('hi', bored.signal).catch(() => 'gone')
    while (fake.served.length === before) await Bun.sleep(1)
    bored.abort()
    expect(await silent).toBe('gone')
    await fake.served.at(-1)?.done
    expect(fake.served.at(-1)?.aborted).toBe(true)
  })

  test('says much', async () => {
    fake.next(megabytes(1))
    expect((await (await call('hi')).text()).length).toBeGreaterThan(1024 * 1024)
    fake.next(megabytes(1))
    const { events } = await readEvents(await stream('hi'))
    expect(textOfEvents(events)).toHaveLength(1024 * 1024)
  })
})
