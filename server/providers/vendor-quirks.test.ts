import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../dialects/json.ts'
import { plainEndpointsOf } from './choose-endpoint.ts'
import type { Capability, Edits, PlainCapability, PlainEndpoint } from './define.ts'
import { providerOf } from './index.ts'

function edit(
  type: number,
  capability: Exclude<Capability, 'realtime'>,
  body: JsonObject,
  model = 'm',
): Edits | undefined {
  const provider = providerOf(type)
  const endpoint = capability === 'chat' ? provider?.chat?.[0] : plainOf(type, capability)
  const to = { baseUrl: '', key: 'k', model, stream: false, other: '', organization: undefined }
  return endpoint?.edit?.(body, to)
}

function plainOf(type: number, capability: PlainCapability): PlainEndpoint | undefined {
  const provider = providerOf(type)
  return provider && plainEndpointsOf(provider, capability)[0]
}

const developer = { messages: [{ role: 'developer', content: 'x' }] }

test('developer becomes system everywhere but OpenAI and Azure', () => {
  for (const type of [1, 3]) expect(edit(type, 'chat', developer)).toBeUndefined()
  for (const type of [8, 19, 22, 25, 26, 31, 40, 42, 43])
    expect(edit(type, 'chat', developer)).toEqual({ messages: [{ role: 'system', content: 'x' }] })
})

test('OpenAI and Azure mind the limits of reasoning models', () => {
  for (const type of [1, 3])
    expect(edit(type, 'chat', { max_tokens: 5 }, 'gpt-6-astra')).toStrictEqual({
      max_tokens: undefined,
      max_completion_tokens: 5,
    })
})

test('a search that agents offer beside their own tools is left out where the vendor would refuse it', () => {
  const offers = { web_search_options: {}, tools: [{ type: 'function', function: { name: 'f' } }] }
  const gone = { web_search_options: undefined }
  for (const [type, model] of [
    [1, 'gpt-4o'],
    [3, 'house-deployment'],
    [8, 'openai/gpt-4o'],
  ] as const) {
    expect(edit(type, 'chat', offers, model)).toStrictEqual(gone)
    expect(edit(type, 'chat', { web_search_options: {} }, model)).toBeUndefined()
  }
  for (const model of ['gpt-4o-search-preview', 'claude-sonnet-5'])
    expect(edit(1, 'chat', offers, model)).toBeUndefined()
})

describe('DeepSeek', () => {
  const user = { role: 'user', content: 'hi' }
  const format = (schema: JsonObject) => ({ type: 'json_schema', json_schema: { name: 'n', schema } })

  test('is told of a schema, and held to JSON where that is an object', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const words = expect.stringContaining(JSON.stringify(schema))
    expect(edit(43, 'chat', { messages: [user], response_format: format(schema) })).toEqual({
      messages: [{ role: 'system', content: words }, user],
      response_format: { type: 'json_object' },
    })
    const system = { role: 'system', content: 'Be brief' }
    const edits = edit(43, 'chat', { messages: [system, user], response_format: format({ type: 'array' }) })
    expect(edits?.messages).toEqual([
      { role: 'system', content: expect.stringMatching(/^Be brief\n\n.*\n\{"type":"array"\}$/s) },
      user,
    ])
    expect(edits).toHaveProperty('response_format', undefined)
    expect(edit(43, 'chat', { messages: [user], response_format: { type: 'json_object' } })).toBeUndefined()
    expect(edit(43, 'chat', { response_format: { type: 'json_schema' } })?.messages).toHaveLength(1)
  })

  test('gets calls back with thoughts, be they empty, unless it is not to think', () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] }
    const thought = { ...call, reasoning_content: 'hm' }
    const result = { role: 'tool', tool_call_id: 'c', content: '1' }
    expect(edit(43, 'chat', { messages: [user, call, result, thought, result, null] })).toEqual({
      messages: [user, { ...call, reasoning_content: '' }, result, thought, result, null],
    })
    expect(edit(43, 'chat', { messages: [call], thinking: { type: 'disabled' } })).toBeUndefined()
    expect(edit(43, 'chat', { messages: [call], reasoning_effort: 'none' })?.messages).toBeUndefined()
  })
})

test('a choice among some tools is made by offering those', () => {
  const tool = (name: string) => ({ type: 'function', function: { name } })
  const choice = (mode: string, ...names: string[]) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map(tool) },
  })
  const body = (mode: string, ...names: string[]) => ({
    tools: ['f', 'g', 'h'].map(tool),
    tool_choice: choice(mode, ...names),
  })
  for (const type of [8, 19, 25, 26, 40, 43, 101]) {
    expect(edit(type, 'chat', body('auto', 'f', 'h'))).toEqual({
      tools: [tool('f'), tool('h')],
      tool_choice: 'auto',
    })
    const forced = type === 26 ? 'auto' : 'required'
    expect(edit(type, 'chat', body('required', 'f', 'h'))?.tool_choice).toBe(forced)
    expect(edit(type, 'chat', body('auto', 'none-such'))).toBeUndefined()
  }
  expect(edit(42, 'chat', body('required', 'f', 'h'))?.tool_choice).toBe('any')
  for (const type of [1, 3]) expect(edit(type, 'chat', body('auto', 'f'))).toBeUndefined()
})

describe('Mistral', () => {
  test('known bodies go as they came', () => {
    const body = {
      model: 'm',
      stream: true,
      max_tokens: 5,
      random_seed: 1,
      safe_prompt: true,
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 's' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: 'https://x' },
          ],
        },
        { role: 'assistant', content: '', tool_calls: [{ id: 'D681PevKs', type: 'function', function: {} }] },
        { role: 'tool', content: '1', tool_call_id: 'D681PevKs', name: 'f' },
      ],
    }
    expect(edit(42, 'chat', body)).toBeUndefined()
  })

  test('unknown fields fall away, at the top and inside messages', () => {
    const edits = edit(42, 'chat', {
      model: 'm',
      max_completion_tokens: 7,
      max_tokens: 5,
      seed: 3,
      tool_choice: 'required',
      stream_options: { include_usage: true },
      user: 'u',
      messages: [
        {
          role: 'user',
          name: 'ann',
          content: [{ type: 'text', text: 'hi', cache_control: {} }, 'odd', null],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: {} },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '1' },
        { role: '__proto__', x: 1 },
        null,
      ],
    })
    const { messages, ...top } = edits ?? {}
    expect(top).toStrictEqual({
      max_tokens: 7,
      max_completion_tokens: undefined,
      random_seed: 3,
      seed: undefined,
      tool_choice: 'any',
      stream_options: undefined,
      user: undefined,
    })
    const id = /"tool_call_id":"([a-zA-Z0-9]{9})"/.exec(JSON.stringify(messages))?.[1] ?? 'none'
    expect(messages).toStrictEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }, 'odd', null] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: '1' },
      { role: '__proto__', x: 1 },
      null,
    ])
  })

  test('embeddings', () => {
    expect(edit(42, 'embeddings', { model: 'm', input: 'x', encoding_format: 'base64' })).toBeUndefined()
    expect(edit(42, 'embeddings', { model: 'm', input: 'x', dimensions: 8, user: 'u' })).toStrictEqual({
      output_dimension: 8,
      dimensions: undefined,
      user: undefined,
    })
  })
})

test('DeepSeek and Zhipu know three words of effort', () => {
  for (const type of [26, 43]) {
    expect(edit(type, 'chat', { reasoning_effort: 'medium' })).toEqual({ reasoning_effort: 'high' })
    expect(edit(type, 'chat', { reasoning_effort: 'none' })).toStrictEqual({
      reasoning_effort: undefined,
      thinking: { type: 'disabled' },
    })
  }
})

test('Moonshot’s models are told how much to think each in its own way', () => {
  const off = { type: 'disabled' }
  const rows: [string, JsonObject, Edits | undefined][] = [
    ['kimi-k3', { reasoning_effort: 'medium' }, { reasoning_effort: 'high', thinking: undefined }],
    ['kimi-k3.1-pro', { reasoning_effort: 'none' }, { reasoning_effort: 'low', thinking: undefined }],
    ['kimi-k3', { thinking: off }, { reasoning_effort: 'low', thinking: undefined }],
    ['kimi-k3', { reasoning_effort: 'max' }, undefined],
    ['kimi-k2.7-code', { reasoning_effort: 'low' }, { reasoning_effort: undefined }],
    ['kimi-k2.7-code', { thinking: off }, { reasoning_effort: undefined, thinking: undefined }],
    ['kimi-k2.7-code', { thinking: { type: 'enabled' } }, undefined],
    ['kimi-k2.6', { reasoning_effort: 'none' }, { reasoning_effort: undefined, thinking: off }],
    ['kimi-k2.6', { reasoning_effort: 'high' }, { reasoning_effort: undefined }],
    ['kimi-k2.6', { thinking: off }, undefined],
    ['moonshot-v1-128k', { reasoning_effort: 'high' }, { reasoning_effort: undefined }],
  ]
  for (const [model, body, edits] of rows) expect(edit(25, 'chat', body, model)).toStrictEqual(edits)
})

test('Moonshot and DeepSeek are asked in Anthropic’s words for what they take', () => {
  const off = { type: 'disabled' }
  const tools = [{ name: 'f' }, { name: 'g' }]
  const named = { type: 'tool', name: 'g', disable_parallel_tool_use: true }
  const ask = (type: number, body: JsonObject, model: string) => {
    const endpoint = providerOf(type)?.chat?.find(({ dialect }) => dialect === 'anthropic')
    const to = { baseUrl: '', key: 'k', model, stream: false, other: '', organization: undefined }
    return endpoint?.edit?.({ messages: [], ...body }, to)
  }
  for (const model of ['kimi-k3', 'kimi-k2.7-code'])
    expect(ask(25, { thinking: off }, model)).toStrictEqual({ thinking: undefined })
  expect(ask(25, { thinking: off, tools, tool_choice: named }, 'kimi-k2.6')).toBeUndefined()
  expect(ask(25, { tools, tool_choice: named }, 'kimi-k3')).toEqual({
    tools: [{ name: 'g' }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
  })
  expect(ask(43, { tools, tool_choice: { type: 'any' } }, 'deepseek-flash')).toEqual({ thinking: off })
  expect(ask(43, { tools, tool_choice: { type: 'auto' } }, 'deepseek-flash')).toBeUndefined()
})

test('Zhipu takes top_p below 1', () => {
  expect(edit(26, 'chat', { top_p: 1 })).toEqual({ top_p: 0.99 })
})

test('Moonshot’s newer models choose their sampling themselves', () => {
  const sampling = { temperature: 0.2, top_p: 0.5, presence_penalty: 1, frequency_penalty: 1, n: 1 }
  for (const model of ['kimi-k2.5', 'kimi-k2.6', 'kimi-k2.7-code', 'kimi-k2.10', 'kimi-k3', 'kimi-k10'])
    expect(edit(25, 'chat', sampling, model)).toStrictEqual({
      temperature: undefined,
      top_p: undefined,
      presence_penalty: undefined,
      frequency_penalty: undefined,
    })
  for (const model of ['moonshot-v1-128k', 'kimi-k2-0905-preview', 'kimi-k2', 'kimi-latest'])
    expect(edit(25, 'chat', sampling, model)).toBeUndefined()
  expect(edit(25, 'chat', { n: 1 }, 'kimi-k3')).toBeUndefined()
})

describe('SiliconCloud', () => {
  const rows: readonly [JsonObject, Edits | undefined][] = [
    [{ prompt: 'x' }, undefined],
    [
      { size: '1024x1024', n: 2 },
      { size: undefined, image_size: '1024x1024', n: undefined, batch_size: 2 },
    ],
    [{ size: 'auto' }, { size: undefined }],
    [{ size: '1x1', image_size: '2x2' }, { size: undefined }],
  ]
  test.each(rows)('image request %j', (body, edits) => {
    expect(edit(40, 'images', body)).toStrictEqual(edits)
  })

  test('image answers', () => {
    const show = plainOf(40, 'images')?.editAnswer
    expect(show?.({ images: [{ url: 'u' }], seed: 1 })).toEqual({ data: [{ url: 'u' }] })
    expect(show?.({ images: [{ url: 'u' }], data: [{ url: 'u' }] })).toBeUndefined()
    expect(show?.({ images: null })).toBeUndefined()
  })

  test('rerank usage', () => {
    const show = plainOf(40, 'rerank')?.editAnswer
    expect(show?.({ results: [], meta: { tokens: { input_tokens: 7, output_tokens: 2 } } })).toEqual({
      usage: { prompt_tokens: 7, total_tokens: 9 },
    })
    expect(show?.({ results: [], meta: null })).toBeUndefined()
    expect(show?.({ usage: { total_tokens: 1 }, meta: { tokens: {} } })).toBeUndefined()
  })
})

describe('errors that mean more than their status', () => {
  const said = (code: string, type = 'invalid_request_error') => ({ error: { message: 'x', type, code } })
  const flagged = { error: { code: 403, message: 'flagged', metadata: { reasons: ['violence'] } } }
  const noModel = { error: { code: 400, message: 'a/b is not a valid model ID' } }
  const wrongKey = 'Incorrect API key provided: ba***na. You can obtain an API key from https://console.x.ai.'
  const invalid = 'Client specified an invalid argument'
  const another = { error: { code: 403, message: 'x', metadata: null } }

  test.each([
    [20, 403, flagged, 400],
    [20, 403, another, 403],
    [20, 400, noModel, 404],
    [26, 400, said('1211'), 404],
    [26, 429, said('1113'), 401],
    [26, 429, said('1302'), 429],
    [27, 400, said('400', 'invalid_model'), 404],
    [40, 400, { code: 20012, message: 'Model does not exist.', data: null }, 404],
    [40, 403, { code: 30001, message: 'no balance', data: null }, 401],
    [45, 403, said('AccountOverdueError'), 401],
    [45, 403, said('AccessDenied'), 403],
    [48, 400, { code: invalid, error: wrongKey }, 401],
    [48, 400, { code: invalid, error: encodeURI(wrongKey) }, 401],
    [48, 400, { code: invalid, error: 'You wrote: Incorrect API key' }, 400],
    [101, 400, said('organization_restricted'), 401],
    [101, 400, said('model_decommissioned'), 404],
    [101, 498, said('capacity_exceeded'), 503],
    [103, 400, said('unknown_model'), 404],
    [103, 429, said('RateLimitReached'), 429],
  ])('type %i, %i %j', (type, status, body, meant) => {
    const [endpoint] = providerOf(type)?.chat ?? []
    expect(endpoint?.readProblem?.(status, body).status).toBe(meant)
    for (const strange of [null, 'x', [], { error: { metadata: 1 } }, { error: { code: '__proto__' } }])
      expect(endpoint?.readProblem?.(status, strange).status).toBe(status)
  })
})

test('each model is told how much to think in words it knows', () => {
  const rows: [type: number, model: string, effort: string, word: string | undefined][] = [
    [8, 'openai/gpt-oss-120b', 'max', 'high'],
    [39, '@cf/openai/gpt-oss-120b', 'none', 'low'],
    [42, 'mistral-medium-2604', 'low', 'high'],
    [42, 'mistral-small-2506', 'high', undefined],
    [42, 'magistral-medium-latest', 'high', undefined],
    [42, 'zai-glm-5-3', 'medium', 'high'],
    [47, 'Qwen/Qwen3.8-27B', 'high', 'xhigh'],
    [48, 'grok-4.3', 'max', 'high'],
    [48, 'grok-4.6', 'max', 'xhigh'],
    [48, 'grok-4.20-multi-agent', 'max', 'xhigh'],
    [48, 'grok-4.20', 'xhigh', 'high'],
    [48, 'grok-4.7', 'minimal', 'low'],
    [101, 'qwen/qwen3-32b', 'high', 'default'],
    [101, 'llama-3.3-70b-versatile', 'high', undefined],
  ]
  for (const [type, model, effort, word] of rows)
    expect([model, edit(type, 'chat', { reasoning_effort: effort }, model)]).toStrictEqual([
      model,
      { reasoning_effort: word },
    ])
  for (const [type, model] of [
    [8, 'gpt-oss-20b'],
    [42, 'mistral-small-latest'],
    [48, 'grok-4.7'],
  ] as const)
    expect(edit(type, 'chat', { reasoning_effort: 'high' }, model)).toBeUndefined()
})

test('xAI’s newer models get no penalties, be they zero, nor stop strings', () => {
  const body = { presence_penalty: 0, frequency_penalty: 0.5, stop: 'x' }
  const without = { presence_penalty: undefined, frequency_penalty: undefined, stop: undefined }
  for (const model of ['grok-4.7', 'grok-4-fast-non-reasoning', 'grok-3-mini', 'grok-5'])
    expect(edit(48, 'chat', body, model)).toStrictEqual(without)
  for (const model of ['grok-3', 'grok-2-1212', 'grok-beta'])
    expect(edit(48, 'chat', body, model)).toBeUndefined()
  expect(edit(48, 'chat', { temperature: 1 }, 'grok-4.7')).toBeUndefined()
})
