import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import type { StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { openaiChat } from './index.ts'

function ask(wantsUsage: boolean): Asked {
  const request = { model: 'asked', stream: true, system: [], messages: [], tools: [], wantsUsage }
  return { model: 'asked', request, estimatedInput: 1 }
}

function write(parts: readonly StreamPart[], wantsUsage = false): string {
  const writer = openaiChat.createWriter(ask(wantsUsage))
  return parts.map(part => writer.write(part)).join('') + writer.end()
}

const START: StreamPart = { type: 'start', id: 'chatcmpl-1', model: 'up', created: 5 }
const HEAD =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":5,"model":"asked","choices":['

test('text, with the usage that was asked for', () => {
  const parts: StreamPart[] = [
    START,
    { type: 'text-delta', text: 'Hé\n' },
    { type: 'text-delta', text: '' },
    { type: 'usage', usage: { input: 1, output: 1 } },
    { type: 'finish', finish: { reason: 'stop' } },
    { type: 'usage', usage: { input: 9, output: 3 } },
  ]
  expect(write(parts, true)).toBe(
    [
      `${HEAD}{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}`,
      `${HEAD}{"index":0,"delta":{"content":"Hé\\n"},"finish_reason":null}],"usage":null}`,
      `${HEAD}{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
      `${HEAD}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0}}}`,
      'data: [DONE]',
      '',
    ].join('\n\n'),
  )
  expect(write(parts)).toBe(
    [
      `${HEAD}{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
      `${HEAD}{"index":0,"delta":{"content":"Hé\\n"},"finish_reason":null}]}`,
      `${HEAD}{"index":0,"delta":{},"finish_reason":"stop"}]}`,
      'data: [DONE]',
      '',
    ].join('\n\n'),
  )
})

test('calls, numbered from 0 whatever their index, an empty input as an object', () => {
  const parts: StreamPart[] = [
    START,
    { type: 'tool-start', index: 4, id: 'a', name: 'f', signature: { by: 'gemini', value: 'G' } },
    { type: 'tool-input-delta', index: 4, json: '' },
    { type: 'tool-input-delta', index: 4, json: '{"q":1}' },
    { type: 'tool-end', index: 4 },
    { type: 'tool-start', index: 7, id: 'b', name: 'g', signature: { by: 'anthropic', value: 'A' } },
    { type: 'tool-end', index: 7 },
    { type: 'finish', finish: { reason: 'tools' } },
  ]
  const delta = (json: string) => `${HEAD}{"index":0,"delta":${json},"finish_reason":null}]}`
  expect(write(parts).split('\n\n').slice(1)).toEqual([
    delta(
      '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"G"}}}]}',
    ),
    delta('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"q\\":1}"}}]}'),
    delta('{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]}'),
    delta('{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
    `${HEAD}{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
    'data: [DONE]',
    '',
  ])
})

test('what the reader of this dialect reads is what was written', () => {
  const parts: StreamPart[] = [
    START,
    { type: 'thinking-delta', text: 'h' },
    { type: 'thinking-delta', text: 'm' },
    { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S' } },
    { type: 'thinking-redacted', data: 'D', by: 'anthropic' },
    { type: 'text-delta', text: 'Hi' },
    { type: 'text-delta', text: '', signature: 'T' },
    { type: 'citation', citation: { type: 'citation', url: 'u', title: 't', start: 0, end: 2 } },
    { type: 'media', media: { type: 'media', data: 'QUJD', mediaType: 'image/png' } },
    { type: 'tool-start', index: 0, id: 'a', name: 'f', signature: { by: 'gemini', value: 'G' } },
    { type: 'tool-input-delta', index: 0, json: '{}' },
    { type: 'tool-end', index: 0 },
    { type: 'finish', finish: { reason: 'tools' } },
  ]
  const usage = {
    input: 9,
    output: 3,
    cacheRead: 1,
    cacheWrite: 2,
    reasoning: 3,
    audioInput: 4,
    audioOutput: 1,
  }
  const heard: StreamPart[] = []
  const reader = openaiChat.createReader()
  const sse = new SseReader((event, data) => reader.read(event, data, part => heard.push(part)))
  sse.pushText(write([...parts, { type: 'usage', usage }], true))
  expect(heard).toEqual([
    { ...START, model: 'asked' },
    ...parts.slice(1),
    { type: 'usage', usage },
  ] as StreamPart[])
})

test('the details hold the text that they sign', () => {
  const frames = write([
    START,
    { type: 'thinking-delta', text: 'one' },
    { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S' } },
    { type: 'thinking-signature', signature: { by: 'openai-responses', value: 'R' } },
  ]).split('\n\n')
  expect(frames[2]).toContain(
    '{"reasoning_details":[{"type":"reasoning.text","text":"one","signature":"S","format":"anthropic-claude-v1","index":0}]}',
  )
  expect(frames[3]).toContain('"text":"","signature":"R","format":"openai-responses-v1","index":1')
})

describe('the end', () => {
  const ends: [StreamPart[], string][] = [
    [[], '"delta":{},"finish_reason":"stop"'],
    [[{ type: 'finish', finish: { reason: 'filtered' } }], '"delta":{},"finish_reason":"content_filter"'],
    [
      [{ type: 'finish', finish: { reason: 'filtered', explanation: 'why' } }],
      '"delta":{"refusal":"why"},"finish_reason":null',
    ],
    [
      [
        { type: 'refusal-delta', text: 'no' },
        { type: 'finish', finish: { reason: 'filtered' } },
      ],
      '"delta":{},"finish_reason":"stop"',
    ],
    [[{ type: 'finish', finish: { reason: 'paused' } }], '"delta":{},"finish_reason":"stop"'],
    [[{ type: 'finish', finish: { reason: 'length' } }], '"delta":{},"finish_reason":"length"'],
  ]
  test.each(ends)('%j', (parts, expected) => {
    expect(write([START, ...parts])).toContain(expected)
    expect(write([START, ...parts]).endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('an answer that never began still has the form of one', () => {
    expect(write([])).toContain('"delta":{"role":"assistant","content":""}')
  })

  test('a failure never looks like a good end', () => {
    const writer = openaiChat.createWriter(ask(true))
    writer.write(START)
    expect(writer.fail({ status: 502, message: 'm' })).toBe(
      'data: {"error":{"message":"m","type":"server_error","param":null,"code":null}}\n\n',
    )
  })
})
