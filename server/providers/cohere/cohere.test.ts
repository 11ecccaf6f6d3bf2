import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest, StreamPart } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { headersOf, urlOf } from '../address-request.ts'
import { cohereForm } from './form.ts'
import { readFailure } from './map-finish-reason.ts'
import { cohere } from './provider.ts'
import { CohereReader } from './stream-reader.ts'

const to = {
  ...{ baseUrl: cohere.baseUrl, key: 'k', model: 'm', stream: true, other: '' },
  organization: undefined,
}
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }

function frames(...events: string[]): Uint8Array {
  return linesOf(events.map(data => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join(''))
}

const START = '{"type":"message-start","id":"x","delta":{"message":{"role":"assistant"}}}'
const END =
  '{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":12,"output_tokens":7},"tokens":{"input_tokens":507,"output_tokens":10},"cached_tokens":448}}}'

describe('a stream, cut anywhere', () => {
  test('thoughts and text, charged as Cohere charges', () => {
    const bytes = frames(
      START,
      '{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}',
      '{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"Hm 漢"}}}}',
      '{"type":"content-end","index":0}',
      '{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"The 👋"}}}}',
      '{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":3,"text":"The"}}}}',
      END,
    )
    // The last frame is read without its blank line too.
    expect(readAtEveryCut(sse, () => new CohereReader(), bytes, bytes.length - 2)).toEqual([
      { type: 'start', id: 'x', model: '', created: 0 },
      { type: 'thinking-delta', text: 'Hm 漢' },
      { type: 'text-delta', text: 'The 👋' },
      { type: 'usage', usage: { input: 12, output: 7 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('a plan and two calls', () => {
    const call = (index: number, json: string) => [
      `{"type":"tool-call-start","index":${index},"delta":{"message":{"tool_calls":{"id":"f_${index}","type":"function","function":{"name":"f","arguments":""}}}}}`,
      `{"type":"tool-call-delta","index":${index},"delta":{"message":{"tool_calls":{"function":{"arguments":${JSON.stringify(json)}}}}}}`,
      `{"type":"tool-call-end","index":${index}}`,
    ]
    const bytes = frames(
      START,
      '{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will"}}}',
      ...call(0, '{"a":1}'),
      ...call(1, '{}'),
      END.replace('COMPLETE', 'TOOL_CALL'),
    )
    const parts = readAtEveryCut(sse, () => new CohereReader(), bytes, bytes.length - 2)
    expect(parts.slice(1)).toEqual([
      { type: 'text-delta', text: 'I will' },
      { type: 'tool-start', index: 0, id: 'f_0', name: 'f' },
      { type: 'tool-input-delta', index: 0, json: '{"a":1}' },
      { type: 'tool-end', index: 0 },
      { type: 'tool-start', index: 1, id: 'f_1', name: 'f' },
      { type: 'tool-input-delta', index: 1, json: '{}' },
      { type: 'tool-end', index: 1 },
      { type: 'usage', usage: { input: 12, output: 7 } },
      { type: 'finish', finish: { reason: 'tools' } },
    ])
  })
})

test.each([
  ['{"type":"message-end","delta":{"finish_reason":"ERROR","error":"it broke"}}', 502, 'it broke'],
  ['{"type":"message-end","delta":{"finish_reason":"TIMEOUT"}}', 504, 'The upstream took too long'],
  ['{"message":"too many"}', 502, 'too many'],
  ['{"error":{"message":"no"}}', 502, 'no'],
])('%s is no answer', (data, status, message) => {
  const parts: StreamPart[] = []
  const reader = new CohereReader()
  for (const frame of [data, END]) reader.read('', frame, part => parts.push(part))
  expect(parts).toMatchObject([{ type: 'problem', problem: { status, message } }])
  expect(reader.end(() => {})).toBe(false)
})

test('strange frames and answers break nothing', () => {
  const reader = new CohereReader()
  for (const data of [
    ...[
      'null',
      '[]',
      '{',
      '[DONE]',
      '{"type":null}',
      '{"type":"content-delta","delta":{"message":{"content":[]}}}',
    ],
    ...['{"type":"tool-call-delta","index":"__proto__","delta":null}', '{"type":"debug","message":"x"}'],
  ])
    reader.read('', data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { message: 1, finish_reason: 'COMPLETE' }, { message: {} }])
    expect(cohereForm.readAnswer(body)).toBeUndefined()
  expect(
    cohereForm.readUsage({ usage: { billed_units: { input_tokens: -1, output_tokens: 2 } } }),
  ).toBeUndefined()
  expect(cohereForm.readUsage({ usage: { tokens: { input_tokens: 5, output_tokens: 2 } } })).toEqual({
    input: 5,
    output: 2,
  })
  expect(readFailure({ finish_reason: 'COMPLETE' })).toBeUndefined()
})

test.each([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tools'],
])('%s ends as %s', (finish_reason, reason) => {
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }
  expect(cohereForm.readAnswer({ id: 'x', message, finish_reason })).toMatchObject({
    parts: [{ type: 'text', text: 'Hi' }],
    finish: { reason },
  })
})

test('a request is written in the form of its vendor', () => {
  const written = cohereForm.writeRequest(
    {
      ...base,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { url: 'https://a/b.png' }, detail: 'low' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'I will' },
            { type: 'tool-call', id: 'c', name: 'f', input: '' },
          ],
        },
        {
          role: 'user',
          parts: [{ type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
      tools: [
        { type: 'function', name: 'f' },
        { type: 'function', name: 'g' },
      ],
      toolChoice: { type: 'named', names: ['f'], mode: 'required' },
      topP: 1,
      topK: 900,
      frequencyPenalty: -2,
      stop: ['END'],
      maxOutput: 9,
      reasoning: { budget: 100 },
      format: { type: 'schema', name: 'n', schema: { type: 'object' } },
    },
    to,
  )
  expect(written).toEqual({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'https://a/b.png', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        tool_plan: 'I will',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    tool_choice: 'REQUIRED',
    ...{ p: 0.99, k: 500, frequency_penalty: 0, stop_sequences: ['END'], max_tokens: 9 },
    thinking: { type: 'enabled', token_budget: 100 },
    response_format: { type: 'json_object', json_schema: { type: 'object' } },
  })
})

test('it is asked at its own address, or at the one that a channel names', () => {
  const [chat] = cohere.chat ?? []
  if (!chat) throw new Error('no chat')
  expect(urlOf(chat, to)).toBe('https://api.cohere.com/v2/chat')
  expect(urlOf(chat, { ...to, baseUrl: 'https://proxy.example/v2' })).toBe('https://proxy.example/v2/chat')
  expect(headersOf(cohere, chat, to)).toMatchObject({ authorization: 'Bearer k' })
})
