import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import { asArray, asObject, type JsonObject } from '../json.ts'
import type { Finish, NeutralAnswer, NeutralRequest, TokenUsage } from '../spec.ts'
import { anthropic } from './index.ts'

const request: NeutralRequest = { model: 'm', stream: false, system: [], messages: [], tools: [] }
const asked: Asked = {
  model: 'claude-x',
  request: { ...request, reasoning: { visible: true } },
  estimatedInput: 7,
}

/** As it goes out: without the fields that are undefined. */
function write(answer: Partial<NeutralAnswer>, who = asked) {
  const whole: NeutralAnswer = {
    id: 'a',
    model: 'm',
    created: 1,
    parts: [],
    finish: { reason: 'stop' },
    ...answer,
  }
  return JSON.parse(JSON.stringify(anthropic.writeAnswer(whole, who)))
}

const body = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [
    { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
    { type: 'redacted_thinking', data: 'Emw' },
    {
      type: 'text',
      text: 'It rains',
      citations: [
        {
          type: 'web_search_result_location',
          url: 'https://w.test',
          title: 'W',
          cited_text: '',
          encrypted_index: '',
        },
      ],
    },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: [1] } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: 5,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 40,
    cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 33 },
  },
}

test('an answer is read, and written again as it was', () => {
  const answer = anthropic.readAnswer(structuredClone(body))
  expect(answer).toEqual({
    id: 'msg_01',
    model: 'claude-x',
    created: expect.any(Number),
    parts: [
      { type: 'thinking', text: 'Hm', signature: { by: 'anthropic', value: 'EqQB' } },
      { type: 'thinking', text: '', redacted: 'Emw' },
      { type: 'text', text: 'It rains' },
      { type: 'citation', url: 'https://w.test', title: 'W' },
      { type: 'tool-call', id: 'toolu_1', name: 'look', input: '{"a":[1]}' },
    ],
    finish: { reason: 'tools' },
    usage: { input: 145, output: 50, cacheRead: 40, cacheWrite: 100, cacheWriteHour: 40, reasoning: 33 },
  })
  expect(write(answer ?? {})).toEqual(body)
})

test('what other vendors answer with', () => {
  const { id, content, stop_reason, usage } = write({
    parts: [
      { type: 'thinking', text: 'unsigned' },
      { type: 'thinking', text: '', signature: { by: 'gemini', value: 'x' } },
      { type: 'thinking', text: '' },
      { type: 'text', text: '' },
      { type: 'text', text: 'No', refusal: true },
      { type: 'media', data: 'iVBO', mediaType: 'image/png' },
      { type: 'media', data: 'UklG', mediaType: 'audio/wav' },
      { type: 'tool-call', id: 'c', name: 'f', input: '', signature: { by: 'gemini', value: 'Cpw' } },
    ],
  })
  expect(id).toBe('msg_a')
  expect(content).toEqual([
    { type: 'thinking', thinking: 'unsigned', signature: '' },
    { type: 'thinking', thinking: '', signature: 'tg1.gemini.x' },
    { type: 'text', text: 'No' },
    { type: 'text', text: '![image](data:image/png;base64,iVBO)' },
    { type: 'text', text: '[audio/wav](data:audio/wav;base64,UklG)' },
    { type: 'tool_use', id: 'c--tgsig--Q3B3', name: 'f', input: {} },
  ])
  expect(stop_reason).toBe('tool_use')
  expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 0 })
})

test('a call that was cut off by the limit has no input; one that is odd keeps it', () => {
  const part = (input: string) => ({ type: 'tool-call', id: 'c', name: 'f', input }) as const
  const inputs = ['{"a":', '{"a":1}', '']
  const parts = inputs.map(part)
  const inputOf = (reason: 'length' | 'tools') =>
    asArray(write({ parts, finish: { reason } }).content).map(block => asObject(block)?.input)
  expect(inputOf('length')).toEqual([{}, { a: 1 }, {}])
  expect(inputOf('tools')).toEqual([{ input: '{"a":' }, { a: 1 }, {}])
  expect(write({ parts, finish: { reason: 'length' } }).stop_reason).toBe('max_tokens')
})

test('thoughts that the client did not want to see', () => {
  const hidden = { ...asked, request: { ...request, reasoning: { visible: false } } }
  const signed = { type: 'thinking', text: 'a', signature: { by: 'anthropic', value: 's' } } as const
  expect(write({ parts: [signed, { type: 'thinking', text: 'b' }] }, hidden).content).toEqual([
    { type: 'thinking', thinking: '', signature: 's' },
  ])
})

test('thoughts that the client has not asked for stand before no answer, unless it may have to send them back', () => {
  const parts = [
    { type: 'thinking', text: 'a', signature: { by: 'gemini', value: 's' } },
    { type: 'thinking', text: '', redacted: 'sealed' },
    { type: 'text', text: 'b' },
  ] as const
  const typesFor = (tools: NeutralRequest['tools']) =>
    asArray(write({ parts: [...parts] }, { ...asked, request: { ...request, tools } }).content).map(
      block => asObject(block)?.type,
    )
  expect(typesFor([])).toEqual(['text'])
  expect(typesFor([{ type: 'function', name: 'f', schema: {} }])).toEqual([
    'thinking',
    'redacted_thinking',
    'text',
  ])
})

describe('reasons', () => {
  const details = { type: 'refusal', category: 'cyber', explanation: 'Not this' }
  const reading: readonly [JsonObject, Finish][] = [
    [{ stop_reason: 'end_turn' }, { reason: 'stop' }],
    [
      { stop_reason: 'stop_sequence', stop_sequence: 'X' },
      { reason: 'stop-string', stopSequence: 'X' },
    ],
    [{ stop_reason: 'max_tokens' }, { reason: 'length' }],
    [{ stop_reason: 'model_context_window_exceeded' }, { reason: 'length' }],
    [{ stop_reason: 'tool_use' }, { reason: 'tools' }],
    [
      { stop_reason: 'refusal', stop_details: details },
      { reason: 'filtered', explanation: 'Not this' },
    ],
    [
      { stop_reason: 'refusal', stop_details: { category: 'cyber', explanation: null } },
      { reason: 'filtered', explanation: 'cyber' },
    ],
    [{ stop_reason: 'pause_turn' }, { reason: 'paused' }],
    [{ stop_reason: null }, { reason: 'stop' }],
    [{ stop_reason: 'toString' }, { reason: 'stop' }],
  ]
  test.each(reading)('%j is read', (fields, finish) => {
    const content = [{ type: 'text', text: 'x' }]
    expect(anthropic.readAnswer({ type: 'message', content, ...fields })?.finish).toEqual(finish)
  })

  const writing: readonly [Finish, JsonObject][] = [
    [{ reason: 'stop' }, { stop_reason: 'end_turn', stop_sequence: null }],
    [
      { reason: 'stop-string', stopSequence: 'X' },
      { stop_reason: 'stop_sequence', stop_sequence: 'X' },
    ],
    [{ reason: 'length' }, { stop_reason: 'max_tokens' }],
    [{ reason: 'tools' }, { stop_reason: 'tool_use' }],
    [
      { reason: 'filtered', explanation: 'E' },
      { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: 'E' } },
    ],
    [{ reason: 'paused' }, { stop_reason: 'pause_turn' }],
    [{ reason: 'broken-call' }, { stop_reason: 'end_turn' }],
  ]
  test.each(writing)('%j is written', (finish, fields) => {
    expect(write({ finish })).toMatchObject(fields)
  })
})

test('what is no answer, and what is half of one', () => {
  for (const none of [{}, { content: 'text' }, { type: 'error', error: {} }, { type: 'x', content: [] }])
    expect(anthropic.readAnswer(none)).toBeUndefined()
  // Nothing said is an answer when a reason is given for it.
  expect(anthropic.readAnswer({ content: [], stop_reason: null })).toBeUndefined()
  expect(anthropic.readAnswer({ content: [], stop_reason: 'end_turn' })?.parts).toEqual([])
  const half = anthropic.readAnswer({
    content: [null, 5, {}, { type: 'text', citations: [null, { url: 1 }] }, { type: 'tool_use', input: 'x' }],
    usage: [],
  })
  expect(half?.parts).toEqual([
    { type: 'text', text: '' },
    { type: 'tool-call', id: '', name: '', input: '{}' },
  ])
})

describe('usage', () => {
  const table: readonly [JsonObject, TokenUsage | undefined][] = [
    [
      { input_tokens: 1, output_tokens: 2 },
      { input: 1, output: 2 },
    ],
    [
      { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null, cache_creation: null },
      { input: 1, output: 2 },
    ],
    [
      { input_tokens: 1, output_tokens: 2, cache_creation: { ephemeral_1h_input_tokens: 4 } },
      { input: 5, output: 2, cacheWrite: 4, cacheWriteHour: 4 },
    ],
    // A part is never more than what it is part of: it would be charged beyond the whole.
    [
      {
        ...{ input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3 },
        ...{
          cache_creation: { ephemeral_1h_input_tokens: 4 },
          output_tokens_details: { thinking_tokens: 5 },
        },
      },
      { input: 4, output: 2, cacheWrite: 3, cacheWriteHour: 3, reasoning: 2 },
    ],
    [{ input_tokens: 1 }, undefined],
    [{ output_tokens: 1 }, undefined],
    ...[-1, 0.5, '5', 2 ** 53, Number.NaN, {}, true].flatMap((bad): [JsonObject, undefined][] => [
      [{ input_tokens: bad, output_tokens: 1 }, undefined],
      [{ input_tokens: 1, output_tokens: bad }, undefined],
      [{ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: bad }, undefined],
      [{ input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: bad }, undefined],
    ]),
    [
      {
        ...{ input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 },
        iterations: [
          { type: 'message', input_tokens: 1, output_tokens: 2 },
          {
            type: 'compaction',
            input_tokens: 10,
            output_tokens: 20,
            cache_read_input_tokens: 30,
            cache_creation: { ephemeral_1h_input_tokens: 4 },
          },
        ],
      },
      { input: 48, output: 22, cacheRead: 33, cacheWrite: 4, cacheWriteHour: 4 },
    ],
    [
      { input_tokens: 1, output_tokens: 2, iterations: [{ type: 'compaction', input_tokens: -1 }] },
      undefined,
    ],
    [{ input_tokens: Number.MAX_SAFE_INTEGER, output_tokens: 1, cache_read_input_tokens: 1 }, undefined],
  ]
  test.each(table)('%j', (usage, expected) => {
    expect(anthropic.readUsage({ usage })).toEqual(expected)
  })

  test('is never written below zero', () => {
    expect(write({ usage: { input: 5, output: 1, cacheRead: 9 } }).usage.input_tokens).toBe(0)
  })
})
