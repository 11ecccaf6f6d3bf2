import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import {
  anthropic,
  ask,
  chat,
  gemini,
  readUntil,
  requestIdOf,
  responses,
  vendorIn,
  type Way,
} from '../ways.ts'

// The last frames of a stream wait until it is paid. Who has all the others and leaves pays for what is in them.

const model = 'm-plain'
const other = 'm-google'
const third = 'm-claude'
/** Sound costs so many times what text does. */
const SOUND_RATIO = 8
let rig: Rig
let key = ''
const fakes = new Map<Way, FakeUpstream>()

beforeAll(async () => {
  for (const way of [chat, gemini, anthropic]) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser(), limits: { concurrency: 1 } })).key
    const ratios = JSON.stringify({ [model]: 1, [other]: 1, [third]: 1, o3: 1, 'm-asked': 1 })
    await books.setOption('ModelRatio', ratios)
    await books.setOption('CompletionRatio', ratios)
    await books.setOption('AudioRatio', JSON.stringify({ [model]: SOUND_RATIO }))
    await books.setOption('AudioCompletionRatio', JSON.stringify({ [model]: 1 }))
    for (const [way, name] of [
      [chat, model],
      [gemini, other],
      [anthropic, third],
    ] as const) {
      const { url, key: vendorKey } = vendorOf(way)
      await books.addChannel({
        type: way.channelType,
        baseUrl: url,
        key: vendorKey,
        models: way === chat ? [name, 'o3', 'm-asked'] : [name],
      })
    }
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way)

const words = Array.from({ length: 40 }, (_, at) => `word${at}`)
const frameOf = (choices: readonly JsonObject[]): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices })}\n\n`
const delta = (index: number, said: JsonObject): string => frameOf([{ index, delta: said }])

/** Reads until `enough` of what the vendor said is here, leaves, and answers what the row says was used. */
async function leaveAfter(
  client: Way,
  vendor: Way,
  frames: readonly string[],
  enough: (text: string) => boolean,
  more: JsonObject = {},
) {
  // With something still to come: otherwise it would be the vendor who leaves.
  const all = [...frames, ...frames.slice(-1)]
  vendorOf(vendor).next({ frames: () => all, stallAfterFrames: frames.length })
  const leaving = new AbortController()
  const asked = { key, model: vendor === chat ? model : other, more, stream: true, signal: leaving.signal }
  const response = await ask(rig.url, client, asked)
  await readUntil(response, enough)
  leaving.abort()
  return rig.logOf(requestIdOf(response))
}

const times = (text: string, what: string): number => text.split(what).length - 1

describe('who leaves with', () => {
  test('every one of eight answers pays for eight', async () => {
    const eight = Array.from({ length: 8 }, (_, index) => index)
    const frames = words.flatMap(word => eight.map(index => delta(index, { content: `${word} ` })))
    const all = (text: string): boolean => times(text, 'word39') === 8
    const one = await leaveAfter(
      chat,
      chat,
      words.map(word => delta(0, { content: `${word} ` })),
      text => text.includes('word39'),
    )
    const row = await leaveAfter(chat, chat, frames, all, { n: 8 })
    expect(row.completion_tokens).toBeGreaterThanOrEqual(one.completion_tokens * 7.5)
  })

  test('a picture pays for a picture', async () => {
    const url = `data:image/png;base64,${'A'.repeat(20_000)}`
    const frames = [
      delta(0, { role: 'assistant', content: '' }),
      delta(0, { images: [{ type: 'image_url', image_url: { url } }] }),
    ]
    for (const client of [chat, gemini]) {
      const row = await leaveAfter(client, chat, frames, text => text.length > 20_000)
      expect(row.completion_tokens).toBeGreaterThanOrEqual(1000)
    }
  })

  test('sound pays for its seconds', async () => {
    // Ten seconds of 24,000 samples a second, of two bytes each.
    const data = Buffer.alloc(48_000).toString('base64')
    const frames = Array.from({ length: 10 }, () => delta(0, { audio: { id: 'audio_1', data } }))
    const more = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } }
    const row = await leaveAfter(chat, chat, frames, text => times(text, '"audio_1"') === 10, more)
    expect(row.completion_tokens).toBeGreaterThanOrEqual(200)
    expect(row.quota).toBeGreaterThanOrEqual(200 * SOUND_RATIO)
  })
})

/** Of tools that only their vendor's own words know. */
describe('who leaves with what a model has written for', () => {
  const said = words.map(word => `${word} `)
  const all = (text: string): boolean => text.includes('word39')
  const event = (type: string, more: JsonObject): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, output_index: 0, ...more })}\n\n`
  const begun = event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })

  test('a custom tool in a chat pays for it', async () => {
    const usual = await leaveAfter(
      chat,
      chat,
      said.map(content => delta(0, { content })),
      all,
    )
    const call = { index: 0, id: 'call_1', type: 'custom' }
    const frames = said.map(input => delta(0, { tool_calls: [{ ...call, custom: { name: '', input } }] }))
    const more = { tools: [{ type: 'custom', custom: { name: 'write' } }] }
    const row = await leaveAfter(chat, chat, frames, all, more)
    expect(row.completion_tokens).toBeWithin(usual.completion_tokens - 2, usual.completion_tokens + 3)
  })

  const local = { type: 'local' }
  const tools: [string, JsonObject, JsonObject][] = [
    [
      'custom_tool_call_input',
      { type: 'custom_tool_call', name: 'write', input: '' },
      { type: 'custom', name: 'write' },
    ],
    ['shell_call_command', { type: 'shell_call', action: {} }, { type: 'shell', environment: local }],
    ['apply_patch_call_operation_diff', { type: 'apply_patch_call', operation: {} }, { type: 'apply_patch' }],
    [
      'code_interpreter_call_code',
      { type: 'code_interpreter_call', code: '' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
  ]
  test.each(tools)('a tool pays for it: %s', async (kind, item, tool) => {
    const frames = [
      begun,
      event('response.output_item.added', { item: { id: 'item_1', call_id: 'call_1', ...item } }),
      ...said.map(text => event(`response.${kind}.delta`, { item_id: 'item_1', delta: text })),
    ]
    const row = await leaveAfter(responses, chat, frames, all, { tools: [tool] })
    expect(row.completion_tokens).toBeWithin(80, 130)
  })

  test('code that Google runs pays for it', async () => {
    const frames = said.map(code => {
      const parts = [{ executableCode: { language: 'PYTHON', code } }]
      return `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts } }] })}\n\n`
    })
    const row = await leaveAfter(gemini, gemini, frames, all)
    expect(row.completion_tokens).toBeWithin(80, 130)
  })

  test('code that Anthropic runs pays for it, also where the answer breaks off', async () => {
    const message = {
      id: 'msg_1',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 9, output_tokens: 1 },
    }
    const block = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'bash_code_execution', input: {} }
    const begins = event('message_start', { message })
    const frames = said.map(partial_json =>
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } }),
    )
    const stream = [begins, event('content_block_start', { index: 0, content_block: block }), ...frames]
    vendorOf(anthropic).next({ frames: () => stream })
    const response = await ask(rig.url, anthropic, { key, model: third, stream: true })
    expect(await response.text()).toContain('word39')
    expect((await rig.logOf(requestIdOf(response))).completion_tokens).toBeWithin(80, 130)
  })

  test('a tool of which it tells in one piece pays for it, and once for one that came in several', async () => {
    const action = { type: 'exec', command: said }
    const whole = event('response.output_item.done', {
      item: { id: 'item_1', type: 'local_shell_call', action },
    })
    const more = { tools: [{ type: 'local_shell' }] }
    const one = await leaveAfter(responses, chat, [begun, whole], all, more)
    expect(one.completion_tokens).toBeWithin(80, 300)
    const piece = event('response.shell_call_command.delta', { item_id: 'item_1', delta: said.join('') })
    const again = event('response.output_item.done', { item: { id: 'item_1', type: 'shell_call', action } })
    const two = await leaveAfter(
      responses,
      chat,
      [begun, piece, again],
      text => times(text, 'word39') === 2,
      more,
    )
    expect(two.completion_tokens).toBeWithin(80, 130)
  })
})

test('who leaves with a picture that is nearly made pays for it', async () => {
  const type = 'image_generation.partial_image'
  const partial = `event: ${type}\ndata: {"type":"${type}","b64_json":"AAAA"}\n\n`
  // The next would have been the last.
  const painting = () => new ReadableStream({ start: sending => sending.enqueue(partial.repeat(2)) })
  const server = serveLoopback(
    () => new Response(painting(), { headers: { 'content-type': 'text/event-stream' } }),
  )
  const painter = 'gpt-image-1-mini'
  await rig.addChannel({ type: 1, baseUrl: server.url.origin, key: 'sk-paint', models: [painter] })
  const leaving = new AbortController()
  const response = await until(async () => {
    const answer = await fetch(`${rig.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: painter, prompt: 'a', quality: 'high', stream: true, partial_images: 2 }),
      signal: leaving.signal,
    })
    return answer.ok ? answer : undefined
  })
  await readUntil(response, 'AAAA')
  leaving.abort()
  expect((await rig.logOf(requestIdOf(response))).completion_tokens).toBe(4160 + 2 * 100)
  await server.stop(true)
})

describe('who leaves a Gemini model', () => {
  const content = { role: 'model', parts: [{ text: 'what is in it ' }] }
  const told = { candidatesTokenCount: 3, thoughtsTokenCount: 4000 }
  const googleFrame = (usageMetadata: JsonObject): string =>
    `data: ${JSON.stringify({ candidates: [{ content, index: 0 }], usageMetadata, modelVersion: other })}\n\n`

  test('pays for the thoughts and the film that it has told of by then', async () => {
    const frame = googleFrame({
      ...told,
      promptTokenCount: 90_000,
      totalTokenCount: 94_003,
      promptTokensDetails: [{ modality: 'VIDEO', tokenCount: 90_000 }],
    })
    const fileData = { fileUri: 'https://films.example/a', mimeType: 'video/mp4' }
    const more = { contents: [{ role: 'user', parts: [{ fileData }] }] }
    const enough = (text: string): boolean => times(text, 'what is in it') === 2
    const row = await leaveAfter(gemini, gemini, [frame, frame], enough, more)
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([90_000, expect.any(Number)])
    expect(row.completion_tokens).toBeGreaterThanOrEqual(4003)
  })

  test.each([chat, responses, anthropic])('pays for them as a client of $name', async client => {
    const frames = [3, 5, 7].map(candidatesTokenCount =>
      googleFrame({ ...told, candidatesTokenCount, promptTokenCount: 700, totalTokenCount: 4710 }),
    )
    const enough = (text: string): boolean => times(text, 'what is in it') >= 3
    const row = await leaveAfter(client, gemini, frames, enough)
    expect(row.prompt_tokens).toBe(700)
    expect(row.completion_tokens).toBeGreaterThanOrEqual(4007)
  })
})

test.each([chat, gemini])(
  '$name: who leaves with the words about a long file pays for the file',
  async client => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const usage = () => ({ prompt_tokens: 300_000, completion_tokens: 20, total_tokens: 300_020 })
    vendorOf(chat).next({ usage, hold: { afterFrames: 4, until: left } })
    const file = `data:application/pdf;base64,JVBERi0x${'QUJD'.repeat(100_000)}`
    const more: JsonObject =
      client === chat
        ? {
            messages: [
              { role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_data: file } }] },
            ],
          }
        : {
            contents: [
              {
                role: 'user',
                parts: [{ inlineData: { mimeType: 'application/pdf', data: file.slice(28) } }],
              },
            ],
          }
    const leaving = new AbortController()
    const response = await ask(rig.url, client, { key, model, more, stream: true, signal: leaving.signal })
    await readUntil(response, 'said')
    leaving.abort()
    await until(async () => (await ask(rig.url, client, { key, model })).status === 200)
    expect(vendorOf(chat).served.at(-2)?.aborted).toBe(false)
    resolve()
    expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(300_000)
  },
)

const looked: [string, JsonObject][] = [
  ['a picture', { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }],
  [
    'a picture of few letters',
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(20)}` } },
  ],
  ['sound', { type: 'input_audio', input_audio: { data: 'QUJD'.repeat(20), format: 'mp3' } }],
]
test.each(looked)('who leaves with the words about %s pays for it', async (_, part) => {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const usage = () => ({ prompt_tokens: 25_501, completion_tokens: 20, total_tokens: 25_521 })
  vendorOf(chat).next({ usage, hold: { afterFrames: 4, until: left } })
  const more = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, part] }] }
  const leaving = new AbortController()
  const response = await ask(rig.url, chat, { key, model, more, stream: true, signal: leaving.signal })
  await readUntil(response, text => /saw|said|heard/.test(text))
  leaving.abort()
  await until(async () => (await ask(rig.url, chat, { key, model })).status === 200)
  expect(vendorOf(chat).served.at(-2)?.aborted).toBe(false)
  resolve()
  expect((await rig.logOf(requestIdOf(response))).prompt_tokens).toBe(25_501)
})

test('who leaves with the words about a picture of the usual size pays for these', async () => {
  const url = 'https://pictures.example/a.png'
  const more = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }
  const usage = () => ({ prompt_tokens: 800, completion_tokens: 20, total_tokens: 820 })
  vendorOf(chat).next({ usage })
  await (await ask(rig.url, chat, { key, model: 'm-asked', more, stream: true })).text()
  const { promise: left, resolve } = Promise.withResolvers<void>()
  vendorOf(chat).next({ usage, hold: { afterFrames: 4, until: left } })
  const leaving = new AbortController()
  const signal = leaving.signal
  const response = await ask(rig.url, chat, { key, model: 'm-asked', more, stream: true, signal })
  await readUntil(response, 'saw')
  leaving.abort()
  await until(() => vendorOf(chat).served.at(-1)?.aborted === true)
  resolve()
  const { prompt_tokens, completion_tokens } = await rig.logOf(requestIdOf(response))
  expect([prompt_tokens >= 765 && prompt_tokens < 800, completion_tokens < 20]).toEqual([true, true])
})

const thoughtful: [string, { model: string; more?: JsonObject; isSeen: boolean }][] = [
  ['that never shows what it thinks', { model: 'o3', isSeen: false }],
  ['that is asked to think', { model: 'm-asked', more: { reasoning_effort: 'high' }, isSeen: false }],
  // The last: from here on the model is known for it.
  ['that is known to think unseen', { model, isSeen: true }],
]
test.each(thoughtful)('who leaves with the words of a model %s pays for the thoughts', async (_, one) => {
  const usage = { prompt_tokens: 10, completion_tokens: 5000, total_tokens: 5010 }
  const { model, more = {} } = one
  const asked = { key, model, text: 'one two three', more, stream: true }
  for (const client of one.isSeen ? [chat, gemini] : [chat]) {
    if (one.isSeen) {
      vendorOf(chat).next({ usage: () => usage })
      await (await ask(rig.url, client, asked)).text()
    }
    const { promise: left, resolve } = Promise.withResolvers<void>()
    vendorOf(chat).next({ hold: { afterFrames: 4, until: left }, usage: () => usage })
    const leaving = new AbortController()
    const response = await ask(rig.url, client, { ...asked, signal: leaving.signal })
    await readUntil(response, 'said')
    leaving.abort()
    // The next question need not wait, and the vendor has not heard of it.
    await until(async () => (await ask(rig.url, client, { key, model })).status === 200)
    expect(vendorOf(chat).served.at(-2)?.aborted).toBe(false)
    resolve()
    expect((await rig.logOf(requestIdOf(response))).completion_tokens).toBe(5000)
  }
})
