import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { openaiResponses } from './index.ts'

function readFixture(name: string): Uint8Array {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url))
}

function readStream(...chunks: (Uint8Array | string)[]): { parts: StreamPart[]; whole: boolean } {
  const parts: StreamPart[] = []
  const reader = openaiResponses.createReader()
  const sse = new SseReader((event, data) => reader.read(event, data, part => parts.push(part)))
  for (const chunk of chunks) sse.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  sse.end()
  const whole = reader.end(part => parts.push(part))
  return { parts, whole }
}

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...fields })}\n\n`
}

const CREATED = frame('response.created', {
  response: { id: 'resp_1', model: 'm', created_at: 7, error: null },
})
const START: StreamPart = { type: 'start', id: 'resp_1', model: 'm', created: 7 }

const WHOLE: StreamPart[] = [
  { type: 'start', id: 'resp_68c1', model: 'gpt-5-2025-08-07', created: 1757500000 },
  { type: 'thinking-delta', text: '**Looking**' },
  { type: 'thinking-delta', text: ' up' },
  { type: 'thinking-delta', text: '\n\n' },
  { type: 'thinking-delta', text: 'Then é answer' },
  { type: 'thinking-signature', signature: { by: 'openai-responses', value: 'gAAAAlast' } },
  { type: 'text-delta', text: 'Hi 😀' },
  { type: 'text-delta', text: ' there' },
  {
    type: 'citation',
    citation: { type: 'citation', url: 'https://example.com/oslo', title: 'Oslo', start: 0, end: 2 },
  },
  { type: 'tool-start', index: 0, id: 'call_9', name: 'get_weather', signature: undefined },
  { type: 'tool-input-delta', index: 0, json: '{"city":' },
  { type: 'tool-input-delta', index: 0, json: '"Oslo"}' },
  { type: 'tool-end', index: 0 },
  {
    type: 'usage',
    usage: { input: 81, output: 120, cacheRead: 40, cacheWrite: 8, reasoning: 64, searches: 1 },
  },
  { type: 'finish', finish: { reason: 'tools' } },
]

describe('a whole stream', () => {
  test('becomes parts', () => {
    const { parts, whole } = readStream(readFixture('reasoning-search-text-call.sse'))
    expect(parts).toEqual(WHOLE)
    expect(whole).toBe(true)
  })

  test('gives the same parts wherever it is cut', () => {
    const bytes = readFixture('reasoning-search-text-call.sse')
    const expected = JSON.stringify(WHOLE)
    for (let at = 0; at <= bytes.length; at++) {
      const { parts } = readStream(bytes.subarray(0, at), bytes.subarray(at))
      if (JSON.stringify(parts) !== expected) throw new Error(`differs when cut at ${at}`)
    }
  })

  test('is not whole when it ends before its last event', () => {
    const bytes = readFixture('reasoning-search-text-call.sse')
    const cut = Buffer.from(bytes).indexOf('event: response.completed')
    const { parts, whole } = readStream(bytes.subarray(0, cut))
    expect(whole).toBe(false)
    expect(parts).toEqual(WHOLE.slice(0, -2))
  })

  test('closes a call that the cut left open', () => {
    const bytes = readFixture('reasoning-search-text-call.sse')
    const cut = Buffer.from(bytes).indexOf('event: response.function_call_arguments.done')
    const { parts, whole } = readStream(bytes.subarray(0, cut))
    expect(whole).toBe(false)
    expect(parts.at(-1)).toEqual({ type: 'tool-end', index: 0 })
  })

  test('of a refusal', () => {
    const { parts, whole } = readStream(readFixture('refusal.sse'))
    expect(parts.slice(1)).toEqual([
      { type: 'refusal-delta', text: 'I can’t ' },
      { type: 'refusal-delta', text: 'help.' },
      { type: 'usage', usage: { input: 81, output: 120, cacheRead: 40, cacheWrite: 8, reasoning: 64 } },
      { type: 'finish', finish: { reason: 'filtered' } },
    ])
    expect(whole).toBe(true)
  })
})

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
}
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' }
const done = (output_index: number, item: object) =>
  frame('response.output_item.done', { output_index, item })
const completed = (fields: object) =>
  frame('response.completed', { response: { status: 'completed', ...fields } })

describe('items without deltas', () => {
  const said: StreamPart[] = [
    START,
    { type: 'text-delta', text: 'Hi' },
    { type: 'tool-start', index: 0, id: 'c1', name: 'f', signature: undefined },
    { type: 'tool-input-delta', index: 0, json: '{"a":1}' },
    { type: 'tool-end', index: 0 },
    { type: 'finish', finish: { reason: 'tools' } },
  ]
  const cases: [string, string][] = [
    ['in output_item.done', done(0, MESSAGE) + done(1, CALL) + completed({ output: [MESSAGE, CALL] })],
    ['in response.completed only', completed({ output: [MESSAGE, CALL] })],
    [
      'in the done events of the parts',
      frame('response.output_text.done', { output_index: 0, content_index: 0, text: 'Hi' }) +
        done(0, MESSAGE) +
        frame('response.output_item.added', { output_index: 1, item: { ...CALL, arguments: '' } }) +
        frame('response.function_call_arguments.done', { output_index: 1, arguments: '{"a":1}' }) +
        done(1, CALL) +
        completed({}),
    ],
  ]
  test.each(cases)('%s', (_, frames) => {
    expect(readStream(CREATED + frames)).toEqual({ parts: said, whole: true })
  })

  test('reasoning, raw and sealed by another vendor', () => {
    const raw = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] }
    const frames =
      done(0, { ...raw, encrypted_content: 'tg1.anthropic.S.1' }) +
      done(1, { type: 'reasoning', summary: [], encrypted_content: 'tg1r.anthropic.R' }) +
      done(2, { type: 'reasoning', summary: [], encrypted_content: 'tg1c.gemini.G' }) +
      done(3, CALL)
    expect(readStream(CREATED + frames).parts.slice(1, 5)).toEqual([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S.1' } },
      { type: 'thinking-redacted', data: 'R', by: 'anthropic' },
      { type: 'tool-start', index: 0, id: 'c1', name: 'f', signature: { by: 'gemini', value: 'G' } },
    ])
  })

  test('an image', () => {
    const item = { type: 'image_generation_call', result: 'iVBO', output_format: 'webp' }
    expect(readStream(CREATED + done(0, item)).parts[1]).toEqual({
      type: 'media',
      media: { type: 'media', data: 'iVBO', mediaType: 'image/webp' },
    })
  })
})

test('items that were streamed are not read again, whatever place the last event gives them', () => {
  const { parts } = readStream(CREATED + done(5, MESSAGE) + completed({ output: [MESSAGE] }))
  expect(parts.filter(part => part.type === 'text-delta')).toEqual([{ type: 'text-delta', text: 'Hi' }])
})

describe('two thoughts', () => {
  const thought = (text: string, encrypted_content?: string) => ({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    encrypted_content,
  })
  const cases: [string, string | undefined, string][] = [
    ['a signature ends a thought', 'gAAAA', 'OneTwo'],
    ['without one they are paragraphs', undefined, 'One\n\nTwo'],
  ]
  test.each(cases)('%s', (_, signature, expected) => {
    const { parts } = readStream(CREATED + done(0, thought('One', signature)) + done(1, thought('Two')))
    const texts = parts.map(part => (part.type === 'thinking-delta' ? part.text : ''))
    expect(texts.join('')).toBe(expected)
  })
})

test('calls may be interleaved', () => {
  const added = (output_index: number, call_id: string) =>
    frame('response.output_item.added', { output_index, item: { ...CALL, call_id, arguments: '' } })
  const delta = (output_index: number, text: string) =>
    frame('response.function_call_arguments.delta', { output_index, delta: text })
  const frames = added(0, 'a') + added(1, 'b') + delta(1, '{"b"') + delta(0, '{}') + delta(1, ':1}')
  const { parts } = readStream(CREATED + frames + done(1, CALL) + done(0, CALL) + completed({}))
  expect(parts.slice(3, -1)).toEqual([
    { type: 'tool-input-delta', index: 1, json: '{"b"' },
    { type: 'tool-input-delta', index: 0, json: '{}' },
    { type: 'tool-input-delta', index: 1, json: ':1}' },
    { type: 'tool-end', index: 1 },
    { type: 'tool-end', index: 0 },
  ])
})

describe('how it ends', () => {
  const cases: [string, object, string][] = [
    ['max_output_tokens', { reason: 'max_output_tokens' }, 'length'],
    ['content_filter', { reason: 'content_filter' }, 'filtered'],
    ['something new', { reason: 'something_new' }, 'length'],
  ]
  test.each(cases)('incomplete by %s', (_, incomplete_details, reason) => {
    const last = frame('response.incomplete', { response: { status: 'incomplete', incomplete_details } })
    const { parts, whole } = readStream(CREATED + last)
    expect(parts.at(-1)).toEqual({ type: 'finish', finish: { reason } } as StreamPart)
    expect(whole).toBe(true)
  })

  const flat =
    'data: {"type":"error","code":"rate_limit_exceeded","message":"Slow","param":null,"sequence_number":3}'
  const nested =
    'data: {"type":"error","error":{"type":"tokens","code":"rate_limit_exceeded","message":"Slow","param":null},"sequence_number":3}'
  const failed =
    'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow"}}}'
  const problems: [string, string, string | undefined][] = [
    ['a flat error', `event: error\n${flat}\n\n`, undefined],
    ['a nested error', `event: error\n${nested}\n\n`, 'tokens'],
    ['an error without event name', `${flat}\n\n`, undefined],
    ['a failed response', `event: response.failed\n${failed}\n\n`, undefined],
  ]
  test.each(problems)('%s', (_, bytes, type) => {
    const { parts, whole } = readStream(CREATED + bytes + completed({}))
    expect(parts).toEqual([
      START,
      {
        type: 'problem',
        problem: { status: 429, message: 'Slow', code: 'rate_limit_exceeded', param: null, type },
      },
    ])
    expect(whole).toBe(false)
  })

  test('an error that is only text', () => {
    const { parts } = readStream('event: error\ndata: upstream timed out\n\n')
    expect(parts[1]).toMatchObject({
      type: 'problem',
      problem: { status: 500, message: 'upstream timed out' },
    })
  })

  test('nonsense in between is passed over', () => {
    const junk = [
      'data: [DONE]\n\n',
      'data: {"type":\n\n',
      'data: null\n\n',
      'event: response.output_text.delta\ndata: {"output_index":0,"delta":5}\n\n',
      frame('response.output_item.added', { output_index: '0', item: null }),
      frame('response.output_item.done', { output_index: 0, item: [] }),
      frame('response.output_text.annotation.added', { output_index: 0, annotation: { type: '__proto__' } }),
      frame('response.brand_new.thing', { output_index: 9 }),
    ]
    const { parts, whole } = readStream(CREATED, ...junk, completed({ usage: { input_tokens: '5' } }))
    expect(parts).toEqual([START, { type: 'finish', finish: { reason: 'stop' } }])
    expect(whole).toBe(true)
  })
})
