import { expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { AnswerPart, FinishReason, NeutralAnswer } from '../spec.ts'
import { openaiChat } from './index.ts'

const ASKED: Asked = {
  model: 'asked',
  request: { model: 'asked', stream: false, system: [], messages: [], tools: [] },
  estimatedInput: 1,
}

function answer(parts: AnswerPart[], reason: FinishReason = 'stop'): NeutralAnswer {
  return { id: 'chatcmpl-1', model: 'asked', created: 5, parts, finish: { reason } }
}

function read(message: JsonObject, finish_reason: string | null = 'stop'): NeutralAnswer | undefined {
  return openaiChat.readAnswer({
    id: 'chatcmpl-1',
    created: 5,
    model: 'up',
    choices: [{ message, finish_reason }],
  })
}

test('an answer of the vendor’s own is read whole', () => {
  const body = JSON.parse(
    '{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-x","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12},"service_tier":"default"}',
  ) as JsonObject
  expect(openaiChat.readAnswer(body)).toEqual({
    id: 'chatcmpl-1',
    model: 'gpt-x',
    created: 1700000000,
    parts: [{ type: 'text', text: 'Hi' }],
    finish: { reason: 'stop' },
    usage: { input: 9, output: 3 },
  })
  expect(openaiChat.readUsage(body)).toEqual({ input: 9, output: 3 })
})

test('what is written is read as what it was', () => {
  const table: [AnswerPart[], FinishReason][] = [
    [[{ type: 'text', text: 'Hi' }], 'length'],
    [
      [
        { type: 'thinking', text: 'hm', signature: { by: 'anthropic', value: 'S' } },
        { type: 'thinking', text: '', redacted: 'D' },
        { type: 'text', text: 'Hi', signature: 'T' },
        { type: 'citation', url: 'https://x', title: 'X', start: 0, end: 2 },
        { type: 'media', data: 'QUJD', mediaType: 'image/png' },
        { type: 'media', data: 'QUJD', mediaType: 'audio/wav' },
        {
          type: 'tool-call',
          id: 'a',
          name: 'f',
          input: '{"q":1}',
          signature: { by: 'gemini', value: 'G' },
        },
        { type: 'tool-call', id: 'b', name: 'g', input: '{}' },
      ],
      'tools',
    ],
    [[{ type: 'thinking', text: 'hm' }], 'stop'],
    [[{ type: 'text', text: 'no', refusal: true }], 'filtered'],
    [[], 'filtered'],
  ]
  for (const [parts, reason] of table) {
    const whole = answer(parts, reason)
    expect(openaiChat.readAnswer(openaiChat.writeAnswer(whole, ASKED))).toEqual(whole)
  }
})

test('the exact form of an answer with calls only', () => {
  const whole: NeutralAnswer = {
    ...answer([{ type: 'tool-call', id: 'a', name: 'f', input: '' }], 'tools'),
    id: 'msg_1',
    usage: { input: 1, output: 2 },
  }
  const { usage, ...written } = openaiChat.writeAnswer(whole, ASKED)
  expect(JSON.stringify(written)).toBe(
    '{"id":"chatcmpl-msg_1","object":"chat.completion","created":5,"model":"asked","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"logprobs":null,"finish_reason":"tool_calls"}]}',
  )
  expect(usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })
})

test('why an answer was filtered is said', () => {
  const whole = { ...answer([]), finish: { reason: 'filtered', explanation: 'because' } } as const
  expect(openaiChat.writeAnswer(whole, ASKED)).toMatchObject({
    choices: [{ message: { content: null, refusal: 'because' }, finish_reason: 'content_filter' }],
  })
})

test('a citation without a place is for the text before it', () => {
  const parts: AnswerPart[] = [
    { type: 'text', text: 'One. ' },
    { type: 'text', text: 'Two.' },
    { type: 'citation', url: 'https://x' },
  ]
  expect(openaiChat.writeAnswer(answer(parts), ASKED)).toMatchObject({
    choices: [{ message: { annotations: [{ url_citation: { start_index: 5, end_index: 9 } }] } }],
  })
})

test('what vendors do differently', () => {
  const table: [JsonObject, AnswerPart[]][] = [
    [
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], signature: null },
          { type: 'text', text: 'Hi' },
          null,
          { type: 'reference', reference_ids: [1] },
        ],
      },
      [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'Hi' },
      ],
    ],
    [
      { content: 'Hi', reasoning: 'hm' },
      [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'Hi' },
      ],
    ],
    [
      { content: null, audio: { id: 'a', data: 'QUJD', transcript: 'Hi' } },
      [
        { type: 'text', text: 'Hi' },
        { type: 'media', data: 'QUJD', mediaType: 'audio/wav' },
      ],
    ],
    [
      { content: '', tool_calls: [{ id: 'a', function: { name: 'f', arguments: { q: 1 } } }, null, {}] },
      [{ type: 'tool-call', id: 'a', name: 'f', input: '{"q":1}' }],
    ],
    [{ content: 5, tool_calls: 5, annotations: 5, images: [5], audio: 5 } as JsonObject, []],
  ]
  for (const [message, parts] of table) expect(read(message)?.parts).toEqual(parts)
})

test('calls without an id get one', () => {
  const parts = read({
    content: null,
    tool_calls: [{ function: { name: 'f' } }],
    function_call: { name: 'g' },
  })?.parts
  expect(parts).toMatchObject([
    { type: 'tool-call', name: 'f', input: '', id: expect.stringMatching(/^call_\w{24}$/) },
    { type: 'tool-call', name: 'g', input: '', id: expect.stringMatching(/^call_\w{24}$/) },
  ])
})

test('every vendor’s reason to finish is one of ours, and what is none is no end', () => {
  const table: [string | null, FinishReason | undefined][] = [
    ['stop', 'stop'],
    [null, 'stop'],
    ['eos', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'filtered'],
    ['sensitive', 'filtered'],
    ['error', undefined],
    ['network_error', undefined],
    ['insufficient_system_resource', undefined],
  ]
  for (const [word, reason] of table)
    expect(read({ content: 'Hi' }, word)?.finish.reason).toBe(reason as never)
  expect(read({ tool_calls: [{ id: 'a', function: { name: 'f' } }] }, 'stop')?.finish.reason).toBe('tools')
})

test('what has no message in it is no answer', () => {
  const bodies: JsonObject[] = [
    {},
    { choices: null },
    { choices: [] },
    { choices: [null] },
    { choices: [{}] },
    { choices: [{ message: 'x' }] },
    { error: { message: 'x' } },
    { choices: [{ index: 1, message: { content: 'x' } }] },
  ]
  for (const body of bodies) expect(openaiChat.readAnswer(body)).toBeUndefined()
  // Nothing said is an answer when a reason is given for it.
  expect(read({ content: '' }, null)).toBeUndefined()
  expect(read({ content: '' }, 'stop')?.finish).toEqual({ reason: 'stop' })
})
