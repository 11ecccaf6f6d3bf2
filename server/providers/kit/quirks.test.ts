import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, EditBody, Edits } from '../define.ts'
import { clampTopP } from './edits/clamp-top-p.ts'
import { developerToSystem } from './edits/developer-to-system.ts'
import { editBody } from './edits/edit-body.ts'
import { threeEffortWords } from './edits/effort-words.ts'
import { leaveOutThoughts } from './edits/leave-out-thoughts.ts'
import { reasoningModelLimits, reasoningResponseLimits } from './edits/reasoning-model-limits.ts'
import { shortenToolIds } from './edits/tool-ids.ts'
import { signCalls } from './keys/sign-calls.ts'

function toModel(model: string): Destination {
  return { baseUrl: 'https://a.example', key: 'k', model, stream: false, other: '', organization: undefined }
}

function checkTable(
  edit: EditBody,
  rows: readonly [model: string, body: JsonObject, edits: Edits | undefined][],
) {
  test.each(rows)('%s %j', (model, body, edits) => {
    const before = JSON.stringify(body)
    expect(edit(body, toModel(model))).toStrictEqual(edits)
    expect(JSON.stringify(body)).toBe(before)
  })
}

describe('developer to system', () => {
  const user = { role: 'user', content: 'hi' }
  checkTable(developerToSystem, [
    ['m', { messages: [user] }, undefined],
    [
      'm',
      { messages: [{ role: 'developer', content: 'be', x: 1 }, user] },
      { messages: [{ role: 'system', content: 'be', x: 1 }, user] },
    ],
    ['m', { messages: null }, undefined],
    ['m', { messages: [null, 'developer', 1, ['developer']] }, undefined],
    ['m', {}, undefined],
  ])
})

describe('limits of reasoning models', () => {
  const sampling = { temperature: 0.2, top_p: 1, presence_penalty: 0, frequency_penalty: 1, logprobs: true }
  const dropped = {
    temperature: undefined,
    top_p: undefined,
    presence_penalty: undefined,
    frequency_penalty: undefined,
    logprobs: undefined,
  }
  const renamed = { max_tokens: undefined, max_completion_tokens: 9 }
  checkTable(reasoningModelLimits, [
    ...[
      'o1',
      'o3',
      'o4-mini',
      'gpt-5',
      'gpt-5.6-sol',
      'gpt-6-astra',
      'gpt-12',
      'openai/gpt-5',
      'ft:gpt-5:h',
      'gpt-51',
    ].map((model): [string, JsonObject, Edits] => [
      model,
      { ...sampling, max_tokens: 9 },
      { ...dropped, ...renamed },
    ]),
    ...[
      'gpt-4o',
      'gpt-4.1',
      'gpt-35-turbo',
      'gpt-3.5-turbo',
      'gpt-41-mini',
      'gpt-oss-120b',
      'omni',
      'claude-o1',
    ].map((model): [string, JsonObject, undefined] => [
      model,
      { ...sampling, max_tokens: 9, stop: 'x' },
      undefined,
    ]),
    ...['gpt-4o', 'chatgpt-4o-latest', 'gpt-5-chat-latest', 'openai/gpt-4.1'].map(
      (model): [string, JsonObject, Edits] => [
        model,
        { reasoning_effort: 'max', temperature: 0.2 },
        { reasoning_effort: undefined },
      ],
    ),
    ...['gpt-5.4', 'o3', 'gpt-oss-120b', 'deepseek-flash', 'my-deployment'].map(
      (model): [string, JsonObject, undefined] => [model, { reasoning_effort: 'high' }, undefined],
    ),
    ['gpt-5.4', { ...sampling, reasoning_effort: 'none', max_tokens: 9 }, renamed],
    ['gpt-5.4', { reasoning_effort: 'max' }, { reasoning_effort: 'xhigh' }],
    ['gpt-5.4', { reasoning_effort: 'minimal' }, { reasoning_effort: 'none' }],
    ['gpt-5.1', { reasoning_effort: 'xhigh' }, { reasoning_effort: 'high' }],
    ['gpt-5.1-codex-max', { reasoning_effort: 'max' }, { reasoning_effort: 'xhigh' }],
    ['gpt-5.6-sol', { reasoning_effort: 'max' }, undefined],
    ['gpt-6-astra', { reasoning_effort: 'none' }, { reasoning_effort: 'low' }],
    ['gpt-5', { reasoning_effort: 'none', top_p: 0.5 }, { reasoning_effort: 'minimal', top_p: undefined }],
    ['gpt-5-pro', { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
    ['o3', { reasoning_effort: 'xhigh' }, { reasoning_effort: 'high' }],
    ['gpt-51', { reasoning_effort: 'max' }, undefined],
    ['gpt-5.4', { max_tokens: 9, max_completion_tokens: 8 }, { max_tokens: undefined }],
    ['gpt-5-chat-latest', { temperature: 0.2 }, undefined],
    ['gpt-5.4', { top_logprobs: 2, logit_bias: {} }, { top_logprobs: undefined, logit_bias: undefined }],
    ['o3', { stop: ['x'] }, { stop: undefined }],
    ['o4-mini-2025-04-16', { stop: 'x' }, { stop: undefined }],
    ['o1', { stop: 'x' }, undefined],
    ['gpt-5.4', { stop: 'x', messages: [] }, { stop: undefined }],
    ['gpt-5-chat-latest', { stop: 'x' }, undefined],
  ])
})

describe('limits of reasoning models in Responses', () => {
  const sampling = { temperature: 0.2, top_p: 0.9, top_logprobs: 2 }
  const dropped = { temperature: undefined, top_p: undefined, top_logprobs: undefined }
  const sealed = 'reasoning.encrypted_content'
  checkTable(reasoningResponseLimits, [
    ['gpt-5.4', { ...sampling, max_output_tokens: 20 }, dropped],
    ['o3', { ...sampling, reasoning: { effort: 'low' } }, dropped],
    ['gpt-5.4', { ...sampling, reasoning: { effort: 'none' } }, undefined],
    [
      'gpt-5.5',
      { reasoning: { effort: 'max', summary: 'auto' } },
      { reasoning: { effort: 'xhigh', summary: 'auto' } },
    ],
    ['gpt-5.4', { reasoning: { effort: 'low' }, include: [sealed] }, undefined],
    ['gpt-4o', sampling, undefined],
    [
      'gpt-4o',
      { reasoning: { effort: 'max' }, include: [sealed, 'message.output_text.logprobs'] },
      { reasoning: undefined, include: ['message.output_text.logprobs'] },
    ],
    ['grok-5', { ...sampling, reasoning: { effort: 'max' }, include: [sealed] }, undefined],
    ['gpt-4o', { reasoning: null, include: 'x' }, { reasoning: undefined }],
  ])
})

describe('top_p between 0 and 1', () => {
  checkTable(clampTopP, [
    ['m', { top_p: 1 }, { top_p: 0.99 }],
    ['m', { top_p: 7 }, { top_p: 0.99 }],
    ['m', { top_p: 0 }, { top_p: 0.01 }],
    ['m', { top_p: -1 }, { top_p: 0.01 }],
    ['m', { top_p: 0.5 }, undefined],
    ['m', { top_p: '1' }, undefined],
    ['m', {}, undefined],
  ])
})

describe('three words of effort', () => {
  checkTable(threeEffortWords, [
    ...['low', 'high', 'max', 'odd'].map((word): [string, JsonObject, undefined] => [
      'm',
      { reasoning_effort: word },
      undefined,
    ]),
    ['m', { reasoning_effort: 'minimal' }, { reasoning_effort: 'low' }],
    ['m', { reasoning_effort: 'medium' }, { reasoning_effort: 'high' }],
    ['m', { reasoning_effort: 'xhigh' }, { reasoning_effort: 'max' }],
    ['m', { reasoning_effort: 'none' }, { reasoning_effort: undefined, thinking: { type: 'disabled' } }],
    ['m', { reasoning_effort: null }, undefined],
    ['m', {}, undefined],
  ])
})

describe('tool ids of nine characters', () => {
  const conversation = (first: string, second: string) => ({
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        tool_calls: [
          { id: first, type: 'function' },
          { id: second, type: 'function' },
        ],
      },
      { role: 'tool', tool_call_id: second, content: '2' },
      { role: 'tool', tool_call_id: first, content: '1' },
    ],
  })

  test('a call and its result get the same id, every time', () => {
    const edits = shortenToolIds(conversation('call_abcdefgh12345', 'D681PevKs'))
    expect(edits).toStrictEqual(shortenToolIds(conversation('call_abcdefgh12345', 'D681PevKs')))
    const id = /"id":"(.*?)"/.exec(JSON.stringify(edits))?.[1] ?? ''
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(edits).toStrictEqual(conversation(id, 'D681PevKs'))
  })

  test('different ids stay different', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => ({ id: `call_${at}` }))
    const edited = JSON.stringify(shortenToolIds({ messages: [{ role: 'assistant', tool_calls: ids }] }))
    expect(new Set(edited.match(/"id":"[a-zA-Z0-9]{9}"/g)).size).toBe(2000)
  })

  checkTable(shortenToolIds, [
    ['m', conversation('D681PevKs', 'abcdefghi'), undefined],
    [
      'm',
      { messages: [null, { tool_calls: 'x', tool_call_id: 5 }, { tool_calls: [null, { id: 7 }] }] },
      undefined,
    ],
  ])
})

test('edits see what those before them did, and the last word counts', () => {
  const edit = editBody(
    body => (body.a === 1 ? { a: 2, gone: undefined } : undefined),
    () => undefined,
    body => (body.a === 2 && body.gone === undefined ? { a: 3, b: body.c } : undefined),
  )
  expect(edit({ a: 1, gone: true, c: 'c' }, toModel('m'))).toStrictEqual({ a: 3, gone: undefined, b: 'c' })
  expect(edit({ a: 5 }, toModel('m'))).toBeUndefined()
})

describe("other models' thoughts", () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const user = { role: 'user', content: 'hi', reasoning_content: 'not a thought' }
  const said = { role: 'assistant', content: null, tool_calls: [call, call] }
  const thought = {
    ...said,
    reasoning_content: 'hm',
    reasoning: 'hm',
    reasoning_details: [{ type: 'reasoning.text', text: 'hm' }],
    extra_content: { google: { thought_signature: 's' } },
    tool_calls: [{ ...call, extra_content: { google: { thought_signature: 's' } } }, call],
  }
  checkTable(leaveOutThoughts, [
    ...['gpt-4o', 'gpt-5.4-mini', 'o3', 'chatgpt-4o-latest', 'openai/gpt-5', 'ft:gpt-4.1:house'].map(
      (model): [string, JsonObject, Edits] => [
        model,
        { messages: [user, thought, null] },
        { messages: [user, said, null] },
      ],
    ),
    ...['gpt-oss-120b', 'deepseek-v4', 'claude-opus-5', 'gemini-3.5-flash', 'house'].map(
      (model): [string, JsonObject, undefined] => [model, { messages: [user, thought] }, undefined],
    ),
    ['gpt-5', { messages: [user, said] }, undefined],
    ['gpt-5', { messages: null }, undefined],
    ['gpt-5', {}, undefined],
  ])
})

describe('calls that Gemini did not make', () => {
  const filler = 'skip_thought_signature_validator'
  const user = { role: 'user', parts: [{ text: 'hi' }] }
  const call = { functionCall: { name: 'f', args: {} } }
  const snake = { function_call: { name: 'f', args: {} } }
  const turn = (...parts: JsonObject[]) => ({ role: 'model', parts })
  checkTable(signCalls, [
    [
      'gemini-3.5-flash',
      { contents: [user, turn({ text: 'so' }, call, call)] },
      { contents: [user, turn({ text: 'so' }, { ...call, thoughtSignature: filler }, call)] },
    ],
    [
      'gemini-4-argon',
      { contents: [turn({ ...snake, thought_signature: '' })] },
      { contents: [turn({ ...snake, thoughtSignature: filler })] },
    ],
    ['house', { contents: [turn(call)] }, { contents: [turn({ ...call, thoughtSignature: filler })] }],
    ['gemini-2.5-pro', { contents: [turn(call)] }, undefined],
    ['gemini-3.5-flash', { contents: [turn({ ...call, thoughtSignature: 's' }, call)] }, undefined],
    ['gemini-3.5-flash', { contents: [turn({ ...snake, thought_signature: 's' })] }, undefined],
    ['gemini-3.5-flash', { contents: [user, null, { role: 'model', parts: [null, 'x'] }] }, undefined],
    ['gemini-3.5-flash', { contents: 'hi' }, undefined],
    ['gemini-3.5-flash', {}, undefined],
  ])
})
