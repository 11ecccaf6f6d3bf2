import { describe, expect, test } from 'bun:test'
import type { StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { errorStream, refusalStream, textStream, thinkingStream, toolsStream } from './fixtures/streams.ts'
import { anthropic } from './index.ts'

function readStream(...chunks: readonly Uint8Array[]): { parts: StreamPart[]; whole: boolean } {
  const parts: StreamPart[] = []
  const emit = (part: StreamPart) => {
    parts.push(part.type === 'start' ? { ...part, created: 0 } : part)
  }
  const reader = anthropic.createReader()
  const events = new SseReader((event, data) => reader.read(event, data, emit))
  for (const chunk of chunks) events.push(chunk)
  events.end()
  return { parts, whole: reader.end(emit) }
}

const start = (id: string, model: string) => ({ type: 'start', id, model, created: 0 }) as const
const usage = (fields: Extract<StreamPart, { type: 'usage' }>['usage']) =>
  ({ type: 'usage', usage: fields }) as const

const fixtures: readonly [string, string, readonly StreamPart[]][] = [
  [
    'text',
    textStream,
    [
      start('msg_01A', 'claude-sonnet-4-6'),
      usage({ input: 12, output: 1 }),
      { type: 'text-delta', text: 'Grüße ' },
      { type: 'text-delta', text: '😀\n' },
      usage({ input: 12, output: 30 }),
      { type: 'finish', finish: { reason: 'stop' } },
    ],
  ],
  [
    'thinking',
    thinkingStream,
    [
      start('msg_01B', 'claude-opus-4-8'),
      usage({ input: 145, output: 1, cacheRead: 40, cacheWrite: 100, cacheWriteHour: 40 }),
      { type: 'thinking-delta', text: 'Let me' },
      { type: 'thinking-delta', text: ' see' },
      {
        type: 'thinking-signature',
        signature: { by: 'anthropic', value: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=' },
      },
      { type: 'thinking-redacted', data: 'EmwKAhgBEgy3va3pzix/LafPsn4', by: 'anthropic' },
      { type: 'text-delta', text: '21' },
      usage({ input: 145, output: 50, cacheRead: 40, cacheWrite: 100, cacheWriteHour: 40, reasoning: 33 }),
      { type: 'finish', finish: { reason: 'stop-string', stopSequence: 'END' } },
    ],
  ],
  [
    'tools',
    toolsStream,
    [
      start('msg_01C', 'claude-opus-4-8'),
      usage({ input: 472, output: 2 }),
      { type: 'text-delta', text: 'It rains' },
      { type: 'citation', citation: { type: 'citation', url: 'https://w.test', title: 'W' } },
      { type: 'tool-start', index: 0, id: 'toolu_01T', name: 'get_weather' },
      { type: 'tool-input-delta', index: 0, json: '{"location": "San' },
      { type: 'tool-input-delta', index: 0, json: ' Francisco"}' },
      { type: 'tool-end', index: 0 },
      { type: 'tool-start', index: 1, id: 'toolu_02T', name: 'get_time' },
      { type: 'tool-end', index: 1 },
      usage({ input: 10472, output: 89 }),
      { type: 'finish', finish: { reason: 'tools' } },
    ],
  ],
  [
    'refusal without a block',
    refusalStream,
    [
      start('msg_01D', 'claude-opus-5-5'),
      usage({ input: 9, output: 0 }),
      usage({ input: 9, output: 0 }),
      { type: 'finish', finish: { reason: 'filtered', explanation: 'Not this' } },
    ],
  ],
]

describe.each(fixtures)('%s', (_name, stream, parts) => {
  const bytes = new TextEncoder().encode(stream)

  test('is read in order', () => {
    expect(readStream(bytes)).toEqual({ parts: [...parts], whole: true })
  })

  test('is the same cut at any byte', () => {
    for (let cut = 1; cut < bytes.length; cut += 1)
      expect(readStream(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual({
        parts: [...parts],
        whole: true,
      })
    expect(readStream(...Array.from(bytes, byte => Uint8Array.of(byte)))).toEqual({
      parts: [...parts],
      whole: true,
    })
  })

  test('is whole only once its end was told', () => {
    const end = stream.indexOf('event: message_delta')
    const delta = stream.indexOf('event: message_stop')
    expect(readStream(bytes.subarray(0, Buffer.byteLength(stream.slice(0, end)))).whole).toBe(false)
    expect(readStream(bytes.subarray(0, Buffer.byteLength(stream.slice(0, delta)))).whole).toBe(true)
  })
})

test('a call that was cut off is closed', () => {
  const cut = toolsStream.indexOf('event: content_block_stop\ndata: {"type":"content_block_stop","index":3')
  const { parts, whole } = readStream(new TextEncoder().encode(toolsStream.slice(0, cut)))
  expect(whole).toBe(false)
  expect(parts.at(-1)).toEqual({ type: 'tool-end', index: 0 })
})

test('an error in another vendor’s form ends it too', () => {
  const frame = 'data: {"error":{"message":"no more","type":"server_error"}}\n\n'
  const { parts, whole } = readStream(new TextEncoder().encode(frame + textStream))
  expect(whole).toBe(false)
  expect(parts).toMatchObject([{ type: 'problem', problem: { status: 500, message: 'no more' } }])
})

test('an error ends it, and nothing follows', () => {
  const { parts, whole } = readStream(new TextEncoder().encode(errorStream + textStream))
  expect(whole).toBe(false)
  expect(parts.slice(2)).toEqual([
    { type: 'problem', problem: { status: 529, message: 'Overloaded', code: 'overloaded_error' } },
  ])
})

test('an error after the reason spoils it all the same', () => {
  const late = textStream.slice(0, textStream.indexOf('event: message_stop'))
  const error = errorStream.slice(errorStream.indexOf('event: error'))
  const { parts, whole } = readStream(new TextEncoder().encode(late + error))
  expect(whole).toBe(false)
  expect(parts.at(-1)?.type).toBe('problem')
})

function readFrames(frames: readonly unknown[]): StreamPart[] {
  const text = frames.map(frame => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`)
  return readStream(new TextEncoder().encode(text.join(''))).parts
}

test('frames without names, a missing start and input given with the start', () => {
  const block = { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }
  expect(
    readFrames([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'A' } },
      { type: 'content_block_start', index: 1, content_block: block },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_stop' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'late' } },
    ]),
  ).toEqual([
    { type: 'start', id: '', model: '', created: 0 },
    { type: 'text-delta', text: 'A' },
    { type: 'tool-start', index: 0, id: 't', name: 'f' },
    { type: 'tool-input-delta', index: 0, json: '{"a":1}' },
    { type: 'tool-end', index: 0 },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
})

test('a source that comes before its text is told after it', () => {
  const cite = (url: string) => ({
    ...{ type: 'content_block_delta', index: 0 },
    delta: { type: 'citations_delta', citation: { type: 'web_search_result_location', url, title: 'W' } },
  })
  const say = (text: string) => ({
    ...{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  })
  const begin = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  const stop = { type: 'content_block_stop', index: 0 }
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
  const frames = [
    begin,
    cite('a'),
    cite('b'),
    say('It '),
    say('rains'),
    stop,
    begin,
    cite('c'),
    say('!'),
    end,
  ]
  const order = readFrames(frames).map(part =>
    part.type === 'citation' ? part.citation.url : part.type === 'text-delta' ? part.text : part.type,
  )
  expect(order).toEqual(['start', 'It ', 'rains', 'a', 'b', '!', 'c', 'finish'])
})

test('nonsense is passed over', () => {
  const parts = readFrames([
    '[DONE]',
    'null',
    '{"type":',
    [],
    { type: '__proto__' },
    { type: 'message_start', message: null },
    { type: 'content_block_start', index: null, content_block: 5 },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 5, name: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: 7 } },
    { type: 'content_block_delta', index: 9, delta: { type: 'input_json_delta', partial_json: 'x' } },
    { type: 'content_block_delta', delta: null },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: null } },
    { type: 'content_block_delta', delta: { type: 'citations_delta', citation: { url: 5 } } },
    { type: 'message_delta', delta: null, usage: { input_tokens: -1, output_tokens: '5' } },
    { type: 'message_delta', delta: { stop_reason: 'constructor' } },
  ])
  expect(parts).toEqual([
    { type: 'start', id: '', model: '', created: 0 },
    { type: 'tool-start', index: 0, id: '', name: '' },
    { type: 'tool-end', index: 0 },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
})
