import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { DialectName, NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { urlOf } from '../address-request.ts'
import { chooseEndpoint, choosePlainEndpoint } from '../choose-endpoint.ts'
import { taskConversion } from './convert-images.ts'
import { rerankConversion } from './convert-rerank.ts'
import { fitChat, fitResponses } from './fit-chat.ts'
import { NativeReader, nativeForm } from './native-form.ts'
import { ali } from './provider.ts'
import { readFailure } from './read-failure.ts'

const HOST = 'https://dashscope.aliyuncs.com'
const to = {
  baseUrl: HOST,
  key: 'sk-1',
  model: 'qwen-plus',
  stream: true,
  other: '',
  organization: undefined,
}
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }

describe('a stream of its own API, cut anywhere', () => {
  test('thoughts, words and what they cost', () => {
    const text = [
      'id:1\nevent:result\n:HTTP_STATUS/200\ndata:{"output":{"choices":[{"message":{"content":"","reasoning_content":"漢","role":"assistant"},"finish_reason":"null"}]},"usage":{"total_tokens":4,"input_tokens":3,"output_tokens":1},"request_id":"r"}\n\n',
      'id:2\nevent:result\n:HTTP_STATUS/200\ndata:{"output":{"choices":[{"message":{"content":"Hi","role":"assistant"},"finish_reason":"null"}]},"usage":{"total_tokens":5,"input_tokens":3,"output_tokens":2},"request_id":"r"}\n\n',
      'id:3\nevent:result\n:HTTP_STATUS/200\ndata:{"output":{"choices":[{"message":{"content":"","role":"assistant"},"finish_reason":"length"}]},"usage":{"total_tokens":5,"output_tokens":2,"input_tokens":3,"prompt_tokens_details":{"cached_tokens":1},"output_tokens_details":{"reasoning_tokens":1}},"request_id":"r"}\n\n',
    ].join('')
    const parts = readAtEveryCut(sse, () => new NativeReader(), linesOf(text), linesOf(text).length - 2)
    expect(parts.filter(({ type }) => type !== 'usage')).toEqual([
      { type: 'start', id: 'r', model: '', created: 0 },
      { type: 'thinking-delta', text: '漢' },
      { type: 'text-delta', text: 'Hi' },
      { type: 'finish', finish: { reason: 'length' } },
    ])
    expect(parts.findLast(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: { input: 3, output: 2, cacheRead: 1, cacheWrite: undefined, reasoning: 1 },
    })
  })

  test('a call', () => {
    const say = (call: string, finish = 'null') =>
      `event:result\ndata:{"output":{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[${call}]},"finish_reason":"${finish}"}]},"request_id":"r"}\n\n`
    const text =
      say('{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}') +
      say('{"index":0,"id":"","type":"function","function":{"arguments":"{\\"a\\":"}}') +
      say('{"index":0,"id":"","type":"function","function":{"arguments":"1}"}}', 'tool_calls')
    const parts = readAtEveryCut(sse, () => new NativeReader(), linesOf(text), linesOf(text).length - 2)
    expect(parts.slice(1)).toEqual([
      { type: 'tool-start', index: 0, id: 'call_1', name: 'f' },
      { type: 'tool-input-delta', index: 0, json: '{"a":' },
      { type: 'tool-input-delta', index: 0, json: '1}' },
      { type: 'tool-end', index: 0 },
      { type: 'finish', finish: { reason: 'tools' } },
    ])
  })

  test('an error', () => {
    const text =
      'id:1\nevent:error\n:HTTP_STATUS/429\ndata:{"code":"Throttling.RateQuota","message":"slow","request_id":"r"}\n\n'
    const { parts, whole } = readChunks(sse, new NativeReader(), [linesOf(text)])
    expect(whole).toBe(false)
    expect(parts).toMatchObject([{ type: 'problem', problem: { status: 429, message: 'slow' } }])
  })
})

test('strange frames and answers break nothing', () => {
  const reader = new NativeReader()
  for (const data of [
    'x',
    'null',
    '{}',
    '{"output":{"choices":[null]}}',
    '{"output":{"choices":[{"message":{"content":5,"tool_calls":[1,{"function":null}]},"finish_reason":3}]}}',
    '{"__proto__":{"code":"x"}}',
  ])
    reader.read('result', data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { output: null }, { output: { choices: 1 } }, { output: { choices: [{}] } }])
    expect(nativeForm.readAnswer(body)).toBeUndefined()
  expect(rerankConversion.readAnswer?.({ output: { results: 1 } }, {})).toBeUndefined()
  expect(rerankConversion.readAnswer?.({ output: { results: [null, { index: -1 }] } }, {})).toMatchObject({
    results: [],
  })
  for (const task_id of [undefined, 5, '', '..'])
    expect(taskConversion.nextPath?.({ output: { task_id, task_status: 'PENDING' } }, to)).toBeUndefined()
})

test('a request is written in the form of its own API', () => {
  const request: NeutralRequest = {
    ...base,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    topP: 1,
    topK: 5,
    maxOutput: 9,
    frequencyPenalty: 1,
    reasoning: { budget: 500 },
  }
  expect(nativeForm.writeRequest(request, to)).toEqual({
    model: 'qwen-plus',
    input: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    parameters: {
      result_format: 'message',
      incremental_output: true,
      top_p: 0.99,
      max_tokens: 9,
      enable_thinking: true,
      top_k: 5,
      thinking_budget: 500,
    },
  })
  const sees = nativeForm.writeRequest(request, { ...to, model: 'qwen-vl-max', stream: false })
  expect(sees.input).toEqual({
    messages: [
      { role: 'system', content: [{ text: 'Be brief.' }] },
      { role: 'user', content: [{ text: 'Hi' }] },
    ],
  })
})

test('what compatible mode must have otherwise', () => {
  const edited = (body: Parameters<typeof fitChat>[0], model = 'qwen-plus') => fitChat(body, { ...to, model })
  expect(edited({ messages: [{ role: 'user', content: 'Hi' }], top_p: 0.5 })).toBeUndefined()
  expect(edited({ max_completion_tokens: 5 })).toEqual({ max_completion_tokens: undefined, max_tokens: 5 })
  expect(edited({ reasoning_effort: 'low' })).toEqual({ reasoning_effort: undefined, enable_thinking: true })
  expect(edited({ reasoning_effort: 'low' }, 'qwen3.8-max')).toBeUndefined()
  expect(edited({ reasoning_effort: 'none' }, 'qwen3.8-max')).toEqual({
    reasoning_effort: undefined,
    enable_thinking: false,
  })
  expect(edited({ reasoning_effort: 'low', enable_thinking: false })).toBeUndefined()
  expect(fitResponses({ input: 'Hi' }, to)).toBeUndefined()
  expect(fitResponses({ input: [{ role: 'user' }, { role: 'developer', content: 'x' }] }, to)).toEqual({
    input: [{ role: 'user' }, { role: 'system', content: 'x' }],
  })
  const tool = { type: 'function', function: { name: 'f' } }
  expect(edited({ tool_choice: 'required', tools: [tool] })).toEqual({
    tool_choice: tool,
    enable_thinking: false,
  })
  expect(edited({ tool_choice: 'required', tools: [tool] }, 'qwq-plus')).toMatchObject({
    tool_choice: 'auto',
  })
  expect(edited({ reasoning_effort: 'max', thinking_budget: 9 }, 'qwen3.8-flash')).toStrictEqual({
    reasoning_effort: 'xhigh',
    thinking_budget: undefined,
  })
})

test('model, base URL and dialect say which API is asked', () => {
  const chat = (more: Partial<typeof to>, client: DialectName = 'openai-chat') => {
    const endpoint = chooseEndpoint(ali, client, { ...to, ...more })
    return endpoint && urlOf(endpoint, { ...to, ...more })
  }
  const compatible = `${HOST}/compatible-mode/v1/chat/completions`
  const own = `${HOST}/api/v1/services/aigc/text-generation/generation`
  expect(chat({})).toBe(compatible)
  expect(chat({ baseUrl: `${HOST}/compatible-mode/v1` })).toBe(compatible)
  expect(chat({ baseUrl: 'https://a/v1' })).toBe('https://a/v1/chat/completions')
  expect(chat({ baseUrl: `${HOST}/api/v1` })).toBe(own)
  expect(chat({ other: '{"a":{}}' }, 'anthropic')).toBe(own)
  expect(chat({}, 'anthropic')).toBe(`${HOST}/apps/anthropic/v1/messages`)
  expect(chat({}, 'openai-responses')).toBe(`${HOST}/compatible-mode/v1/responses`)
  for (const client of ['anthropic', 'openai-responses'] as const)
    expect(chat({ model: 'kimi-k3' }, client)).toBe(compatible)
  expect(chat({ baseUrl: 'https://a' }, 'anthropic')).toBe('https://a/compatible-mode/v1/chat/completions')
  for (const baseUrl of [HOST, `${HOST}/api/v1`, `${HOST}/compatible-mode/v1`]) {
    const there = { ...to, baseUrl }
    const url = (capability: 'embeddings' | 'rerank' | 'images') => {
      const endpoint = choosePlainEndpoint(ali, capability, there)
      return endpoint && urlOf(endpoint, there)
    }
    expect(url('embeddings')).toBe(`${HOST}/compatible-mode/v1/embeddings`)
    expect(url('rerank')).toBe(`${HOST}/api/v1/services/rerank/text-rerank/text-rerank`)
    expect(url('images')).toBe(`${HOST}/api/v1/services/aigc/text2image/image-synthesis`)
    const output = { task_id: 'a b', task_status: 'RUNNING' }
    const path = taskConversion.nextPath?.({ output }, there) ?? ''
    expect(urlOf({ path: () => path }, there)).toBe(`${HOST}/api/v1/tasks/a%20b`)
  }
})

test('an error’s code says its status', () => {
  const table = [
    ['InvalidApiKey', 401],
    ['Arrearage', 402],
    ['AccessDenied.Unpurchased', 403],
    ['ModelNotFound', 404],
    ['Throttling.AllocationQuota', 429],
    ['DataInspectionFailed', 400],
    ['InternalError.Algo', 500],
    ['Unheard', 500],
  ] as const
  for (const [code, status] of table) {
    expect(readFailure({ code, message: 'm' })).toMatchObject({ status, message: 'm', code })
    const output = { task_id: 't', task_status: 'FAILED', code, message: 'm' }
    expect(readFailure({ output })).toMatchObject({ status, message: 'm', code })
  }
  expect(readFailure({ output: { task_status: 'SUCCEEDED', results: [] } })).toBeUndefined()
  expect(readFailure({ choices: [{ message: { content: 'x' } }] })).toBeUndefined()
  expect(
    nativeForm.readProblem(400, { code: 'InvalidParameter', message: 'Model not exist.' }),
  ).toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
})
