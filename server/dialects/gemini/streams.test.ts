import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import type { NeutralRequest, Problem, StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { gemini, SseToArray, writeAsArray } from './index.ts'

const request: NeutralRequest = { model: 'alias', stream: true, system: [], messages: [], tools: [] }
const asked: Asked = {
  model: 'alias',
  request: { ...request, reasoning: { visible: true } },
  estimatedInput: 0,
}
const overloaded: Problem = { status: 503, message: 'Overloaded', retryAfter: 3 }

const text = [
  'data: {"usageMetadata": {"trafficType": "ON_DEMAND"}}',
  'data: {"candidates": [{"content": {"parts": [{"text": "**Thinking** ü","thought": true}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 8,"totalTokenCount": 40,"thoughtsTokenCount": 32},"modelVersion": "gemini-3.6-flash","responseId": "abc"}',
  'data: {"candidates": [{"content": {"parts": [{"text": "Grüezi 👋"}],"role": "model"},"index": 0}],"modelVersion": "gemini-3.6-flash","responseId": "abc"}',
  'data: {"candidates": [{"content": {"parts": [{"text": "","thoughtSignature": "EsQBCsEB"}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 8,"candidatesTokenCount": 4,"totalTokenCount": 52,"thoughtsTokenCount": 40},"modelVersion": "gemini-3.6-flash","responseId": "abc"}',
  '',
].join('\r\n\r\n')

const calls = [
  'data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":1}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{"n":2}}}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2},"modelVersion":"m","responseId":"id1"}',
  '',
].join('\n\n')

const blocked = [
  'data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3},"modelVersion":"m","responseId":"id2"}',
  '',
].join('\n\n')

function read(bytes: Uint8Array, cut = bytes.length): { parts: StreamPart[]; whole: boolean } {
  const parts: StreamPart[] = []
  const emit = (part: StreamPart) => {
    parts.push(part.type === 'start' ? { ...part, created: 0 } : part)
  }
  const reader = gemini.createReader()
  const sse = new SseReader((event, data) => reader.read(event, data, emit))
  sse.push(bytes.subarray(0, cut))
  sse.push(bytes.subarray(cut))
  sse.end()
  return { parts, whole: reader.end(emit) }
}

const encode = (sse: string) => new TextEncoder().encode(sse)

describe('reader', () => {
  test('text with thoughts and the signature on the last part', () => {
    expect(read(encode(text))).toEqual({
      parts: [
        { type: 'start', id: 'abc', model: 'gemini-3.6-flash', created: 0 },
        { type: 'thinking-delta', text: '**Thinking** ü' },
        { type: 'usage', usage: { input: 8, output: 32, reasoning: 32 } },
        { type: 'text-delta', text: 'Grüezi 👋' },
        { type: 'text-delta', text: '', signature: 'EsQBCsEB' },
        { type: 'usage', usage: { input: 8, output: 44, reasoning: 40 } },
        { type: 'finish', finish: { reason: 'stop' } },
      ],
      whole: true,
    })
  })

  test('parallel calls to one function without ids', () => {
    expect(read(encode(calls)).parts).toEqual([
      { type: 'start', id: 'id1', model: 'm', created: 0 },
      {
        type: 'tool-start',
        index: 0,
        id: 'call_id1_1',
        name: 'f',
        signature: { by: 'gemini', value: 'c2ln' },
      },
      { type: 'tool-input-delta', index: 0, json: '{"n":1}' },
      { type: 'tool-end', index: 0 },
      { type: 'tool-start', index: 1, id: 'call_id1_2', name: 'f', signature: undefined },
      { type: 'tool-input-delta', index: 1, json: '{"n":2}' },
      { type: 'tool-end', index: 1 },
      { type: 'usage', usage: { input: 3, output: 2 } },
      { type: 'finish', finish: { reason: 'tools' } },
    ])
  })

  test('a blocked prompt', () => {
    expect(read(encode(blocked))).toEqual({
      parts: [
        { type: 'start', id: 'id2', model: 'm', created: 0 },
        { type: 'usage', usage: { input: 3, output: 0 } },
        { type: 'finish', finish: { reason: 'filtered', explanation: 'The prompt was blocked: SAFETY' } },
      ],
      whole: true,
    })
  })

  test.each([
    ['text', text],
    ['calls', calls],
    ['blocked', blocked],
  ])('%s cut at every byte reads the same', (_, sse) => {
    const bytes = encode(sse)
    const whole = read(bytes)
    for (let cut = 0; cut < bytes.length; cut++) expect(read(bytes, cut)).toEqual(whole)
  })

  test('a finish reason in every chunk, as older models send, loses nothing', () => {
    const chunk = (part: string) =>
      `data: {"candidates":[{"content":{"parts":[{"text":"${part}"}]},"finishReason":"STOP"}]}\n\n`
    const { parts, whole } = read(encode(chunk('a') + chunk('b')))
    expect(parts.map(part => part.type)).toEqual(['start', 'text-delta', 'text-delta', 'finish'])
    expect(whole).toBe(true)
  })

  test('a stream that breaks off is not whole; its last usage is told, before what it knows nothing of', () => {
    const broken = read(
      encode(text.slice(0, text.indexOf('data: {"candidates": [{"content": {"parts": [{"text": ""'))),
    )
    expect(broken.whole).toBe(false)
    expect(broken.parts.slice(-2)).toEqual([
      { type: 'usage', usage: { input: 8, output: 32, reasoning: 32 } },
      { type: 'text-delta', text: 'Grüezi 👋' },
    ])
    expect(read(encode(''))).toEqual({ parts: [], whole: false })
  })

  test('an error ends it, also inside an array', () => {
    const error = '{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED"}}'
    for (const data of [error, `[${error},${calls.slice(6).trim()}]`]) {
      const { parts, whole } = read(
        encode(`data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\ndata: ${data}\n\n${calls}`),
      )
      expect(parts.map(part => part.type)).toEqual(['start', 'text-delta', 'problem'])
      expect(parts.at(-1)).toMatchObject({
        problem: { status: 429, message: 'Slow down', code: 'RESOURCE_EXHAUSTED' },
      })
      expect(whole).toBe(false)
    }
  })

  test('sources are told once; nonsense is passed over', () => {
    const cite =
      'data: {"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.test"}}]}}]}\n\n'
    const nonsense =
      'data: [DONE]\n\ndata: null\n\ndata: {"candidates":[{"content":{"parts":[null,{"functionCall":{}}]}}]}\n\n'
    expect(read(encode(nonsense + cite + cite)).parts.map(part => part.type)).toEqual(['start', 'citation'])
  })
})

const parts: StreamPart[] = [
  { type: 'start', id: 'r"1', model: 'claude', created: 1 },
  { type: 'thinking-delta', text: 'h\nm' },
  { type: 'thinking-signature', signature: { by: 'anthropic', value: 'Eq' } },
  { type: 'text-delta', text: 'Hi' },
  { type: 'tool-start', index: 0, id: 't0', name: 'f' },
  { type: 'tool-start', index: 1, id: 't1', name: 'g', signature: { by: 'gemini', value: 'c2ln' } },
  { type: 'tool-input-delta', index: 0, json: '{\n"a"' },
  { type: 'tool-input-delta', index: 1, json: '' },
  { type: 'tool-end', index: 1 },
  { type: 'tool-input-delta', index: 0, json: ':1}' },
  { type: 'tool-end', index: 0 },
  { type: 'citation', citation: { type: 'citation', url: 'https://a.test', title: 'A' } },
  { type: 'finish', finish: { reason: 'tools' } },
  { type: 'usage', usage: { input: 5, output: 4, reasoning: 1 } },
]

const marks = '"modelVersion":"alias","responseId":"r\\"1"}'
const frame = (part: string) =>
  `{"candidates":[{"content":{"parts":[${part}],"role":"model"},"index":0}],${marks}`
const frames = [
  frame('{"text":"h\\nm","thought":true}'),
  frame(`{"text":"","thought":true,"thoughtSignature":"${btoa('tg1.anthropic.Eq')}"}`),
  frame('{"text":"Hi"}'),
  frame('{"functionCall":{"id":"t1","name":"g","args":{}},"thoughtSignature":"c2ln"}'),
  frame('{"functionCall":{"id":"t0","name":"f","args":{"a":1}}}'),
  `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.test","title":"A"}}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":3,"totalTokenCount":9,"thoughtsTokenCount":1},${marks}`,
]
const error =
  '{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}]}}'

describe('writer', () => {
  test('events', () => {
    const writer = gemini.createWriter(asked)
    const sse = parts.map(part => writer.write(part)).join('') + writer.end()
    expect(sse).toBe(frames.map(json => `data: ${json}\n\n`).join(''))
  })

  test('array', () => {
    const writer = writeAsArray(gemini.createWriter(asked))
    const array = parts.map(part => writer.write(part)).join('') + writer.end()
    expect(array).toBe(`[${frames.join(',\n')}]`)
    expect(JSON.parse(array)).toHaveLength(6)
  })

  test('failure', () => {
    expect(gemini.createWriter(asked).fail(overloaded)).toBe(`data: ${error}\n\n`)
    expect(gemini.writeStreamProblem(overloaded)).toBe(`data: ${error}\n\n`)
    expect(writeAsArray(gemini.createWriter(asked)).fail(overloaded)).toBe(`[${error}]`)
    const writer = writeAsArray(gemini.createWriter(asked))
    expect(writer.write({ type: 'text-delta', text: 'a' }) + writer.fail(overloaded)).toEndWith(
      `},\n${error}]`,
    )
  })

  test('a call left open is closed at the end; one that cannot be read breaks the answer', () => {
    const open = gemini.createWriter(asked)
    open.write({ type: 'tool-start', index: 0, id: 't', name: 'f' })
    open.write({ type: 'finish', finish: { reason: 'tools' } })
    expect(open.end()).toContain('"parts":[{"functionCall":{"id":"t","name":"f","args":{}}}]')
    const broken = gemini.createWriter(asked)
    broken.write({ type: 'tool-start', index: 0, id: 't', name: 'f' })
    broken.write({ type: 'tool-input-delta', index: 0, json: '{"a"' })
    expect(broken.write({ type: 'tool-end', index: 0 })).toBe('')
    expect(broken.end()).toContain('"finishReason":"MALFORMED_FUNCTION_CALL"')
  })

  test('a call that was cut off by the limit leaves the limit as the reason', () => {
    const cut = gemini.createWriter(asked)
    cut.write({ type: 'tool-start', index: 0, id: 't', name: 'f' })
    cut.write({ type: 'tool-input-delta', index: 0, json: '{"a"' })
    cut.write({ type: 'tool-end', index: 0 })
    cut.write({ type: 'finish', finish: { reason: 'length' } })
    expect(cut.end()).toContain('"parts":[{"text":""}],"role":"model"},"finishReason":"MAX_TOKENS"')
  })

  test('hidden thoughts', () => {
    const writer = gemini.createWriter({ ...asked, request: { ...request, reasoning: { visible: false } } })
    const signature = { type: 'thinking-signature', signature: { by: 'anthropic', value: 'Eq' } } as const
    expect(writer.write({ type: 'thinking-delta', text: 'hm' }) + writer.write(signature)).toBe('')
    expect(writer.write(signature)).toContain('thoughtSignature')
  })

  test('what is written is read back', () => {
    const writer = gemini.createWriter(asked)
    const sse = parts.map(part => writer.write(part)).join('') + writer.end()
    const back = read(encode(sse)).parts.map(part => part.type)
    const call = ['tool-start', 'tool-input-delta', 'tool-end']
    expect(back).toEqual([
      'start',
      'thinking-delta',
      'thinking-signature',
      'text-delta',
      ...call,
      ...call,
      'citation',
      'usage',
      'finish',
    ] as StreamPart['type'][])
  })
})

describe('SseToArray', () => {
  test('cut at every byte, it is the same JSON', () => {
    const bytes = encode(text)
    const expected = text.split('\r\n\r\n').flatMap(event => (event ? [JSON.parse(event.slice(6))] : []))
    for (let cut = 0; cut < bytes.length; cut++) {
      const array = new SseToArray()
      const written = array.push(bytes.subarray(0, cut)) + array.push(bytes.subarray(cut)) + array.end()
      expect(JSON.parse(written)).toEqual(expected)
    }
  })

  test('frames are handed on as they come; failure and emptiness close the array', () => {
    const array = new SseToArray()
    expect(array.push('data: {"a":1}\n\ndata: {"b"')).toBe('[{"a":1}')
    expect(array.push(':2}\n\n')).toBe(',\n{"b":2}')
    expect(array.push('data: {"cut"')).toBe('')
    expect(array.fail(overloaded)).toBe(`,\n${error}]`)
    expect(new SseToArray().end()).toBe('[]')
  })
})

describe('watcher', () => {
  const watch = () => gemini.createWatcher({ wantsUsage: true })
  const dataOf = (sse: string) => sse.split(/\r?\n\r?\n/).flatMap(event => (event ? [event.slice(6)] : []))

  test('only the last frame of an answer is looked at and held', () => {
    const watcher = watch()
    const verdicts = dataOf(text).map(data =>
      watcher.mayMatter(encode(`data: ${data}\n\n`)) ? watcher.look('', data) : 'unseen',
    )
    expect(verdicts).toEqual(['unseen', 'unseen', 'unseen', 'hold'])
    expect(watcher.complete).toBe(true)
    expect(watcher.usage).toEqual({ input: 8, output: 44, reasoning: 40 })
    expect(watcher.mayMatter(encode('data: {}\n\n'))).toBe(true)
  })

  test('a part of a larger buffer is searched alone', () => {
    const bytes = encode(text)
    expect(watch().mayMatter(bytes.subarray(0, 100))).toBe(false)
    expect(watch().mayMatter(bytes.subarray(100))).toBe(true)
  })

  test('a blocked prompt completes; an error is kept and dropped; words in texts pass', () => {
    const watcher = watch()
    expect(dataOf(blocked).map(data => watcher.look('', data))).toEqual(['hold'])
    expect([watcher.complete, watcher.usage?.input]).toEqual([true, 3])
    const failed = watch()
    expect(failed.mayMatter(encode(`data: ${error}\n\n`))).toBe(true)
    expect(failed.look('', error)).toBe('drop')
    expect([failed.complete, failed.problem?.status, failed.problem?.retryAfter]).toEqual([false, 503, 3])
    const talk = watch()
    const data =
      '{"candidates":[{"content":{"parts":[{"text":"finishReason","a":{"error":1,"finishReason":1}}]}}],"error":null}'
    expect([talk.look('', data), talk.look('', 'x'), talk.look('', '[1]'), talk.complete]).toEqual([
      'pass',
      'pass',
      'pass',
      false,
    ])
  })
})
