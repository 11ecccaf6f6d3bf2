import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Reasoning } from '../spec.ts'
import { anthropic } from './index.ts'

const hello = [{ role: 'user', content: 'Hi' }]
const least = { model: 'claude-sonnet-4-6', max_tokens: 100, messages: hello }

function read(body: JsonObject) {
  return anthropic.readRequest(body, {})
}

function refuse(body: JsonObject): AppError {
  try {
    read(body)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('was not refused')
}

test('every field of a request is read', () => {
  const request = read({
    ...least,
    stream: true,
    system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ['END'],
    metadata: { user_id: 'u1' },
    service_tier: 'auto',
    tools: [
      {
        name: 'look',
        description: 'Looks',
        input_schema: { type: 'object' },
        cache_control: { type: 'ephemeral' },
      },
      { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
  })
  expect(request).toEqual({
    model: 'claude-sonnet-4-6',
    stream: true,
    system: [{ type: 'text', text: 'Be brief', cache: 'hour' }],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [
      {
        type: 'function',
        name: 'look',
        description: 'Looks',
        schema: { type: 'object' },
        cache: 'minutes',
      },
      {
        type: 'web-search',
        by: 'anthropic',
        settings: { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
      },
    ],
    toolChoice: { type: 'required' },
    parallelTools: false,
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    stop: ['END'],
    maxOutput: 100,
    reasoning: { effort: 'high', budget: 2000, visible: false },
    format: { type: 'schema', name: 'answer', schema: { type: 'object' }, strict: true },
    user: 'u1',
    serviceTier: 'auto',
  })
})

test('every kind of block is read', () => {
  const { messages } = read({
    ...least,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
          { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
          {
            type: 'document',
            title: 'A',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
          { type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
          {
            ...{ type: 'document', title: 'B', context: 'Of last year' },
            source: { type: 'content', content: 'a report' },
          },
          {
            ...{ type: 'document', title: 'C', context: 'Of this year' },
            source: { type: 'url', url: 'https://x.test/c.pdf' },
          },
          {
            type: 'search_result',
            title: 'T',
            source: 'https://s.test',
            content: [{ type: 'text', text: 'found' }],
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
          { type: 'thinking', thinking: 'Ha', signature: 'tg1.gemini.Cpw' },
          { type: 'redacted_thinking', data: 'Emw' },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
          { type: 'compaction', content: null, encrypted_content: 'Eo8B' },
          { type: 'compaction', content: 'They talked.' },
          { type: 'tool_use', id: 'toolu_1--tgsig--Q3B3', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'toolu_2', name: 'rest', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1--tgsig--Q3B3', content: 'ok' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [{ type: 'tool_reference', tool_name: 'look' }],
          },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            is_error: true,
            content: [{ type: 'text', text: 'no' }],
          },
        ],
      },
      { role: 'system', content: 'New rule' },
    ],
  })
  expect(messages[0]?.parts).toEqual([
    { type: 'text', text: 'See', cache: 'minutes' },
    { type: 'image', source: { data: 'iVBO', mediaType: 'image/png' } },
    { type: 'image', source: { url: 'https://x.test/a.png' } },
    { type: 'image', source: { fileId: 'file_1' } },
    { type: 'file', name: 'A', source: { data: 'JVBE', mediaType: 'application/pdf' } },
    { type: 'file', source: { data: 'cGxhaW4=', mediaType: 'text/plain' } },
    { type: 'file', source: { url: 'https://x.test/a.pdf', mediaType: 'application/pdf' } },
    { type: 'text', text: 'inner' },
    { type: 'text', text: 'B' },
    { type: 'text', text: 'Of last year' },
    { type: 'text', text: 'a report' },
    { type: 'text', text: 'Of this year' },
    { type: 'file', name: 'C', source: { url: 'https://x.test/c.pdf', mediaType: 'application/pdf' } },
    { type: 'text', text: 'T\nhttps://s.test\nfound' },
  ])
  expect(messages[1]?.parts).toEqual([
    { type: 'thinking', text: 'Hm', signature: { by: 'anthropic', value: 'EqQB' } },
    { type: 'thinking', text: 'Ha', signature: { by: 'gemini', value: 'Cpw' } },
    { type: 'thinking', text: '', redacted: 'Emw' },
    { type: 'text', text: 'They talked.' },
    {
      type: 'tool-call',
      id: 'toolu_1',
      name: 'look',
      input: '{"a":1}',
      signature: { by: 'gemini', value: 'Cpw' },
    },
    { type: 'tool-call', id: 'toolu_2', name: 'rest', input: '{}' },
  ])
  expect(messages[2]?.parts).toEqual([
    { type: 'tool-result', callId: 'toolu_1', name: 'look', content: [{ type: 'text', text: 'ok' }] },
    { type: 'tool-result', callId: 'toolu_2', name: 'rest', content: [{ type: 'text', text: 'look' }] },
    {
      type: 'tool-result',
      callId: 'toolu_2',
      name: 'rest',
      isError: true,
      content: [{ type: 'text', text: 'no' }],
    },
  ])
  expect(messages[3]).toEqual({ role: 'system', parts: [{ type: 'text', text: 'New rule' }] })
})

test('a schema for the answer by its older name', () => {
  const format = { type: 'json_schema', schema: { type: 'object' } }
  expect(read({ ...least, output_format: format }).format).toEqual({
    ...{ type: 'schema', name: 'answer' },
    ...{ schema: { type: 'object' }, strict: true },
  })
  const newer = { ...format, schema: { type: 'object', title: 'newer' } }
  const both = { output_format: format, output_config: { format: newer } }
  expect(read({ ...least, ...both }).format).toMatchObject({ schema: { title: 'newer' } })
})

test('a search that has to be made is offered alone', () => {
  const look = { name: 'look', input_schema: { type: 'object' } }
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const asked = (name: string) =>
    read({ ...least, tools: [look, search], tool_choice: { type: 'tool', name } })
  expect(asked('web_search')).toMatchObject({
    tools: [{ type: 'web-search', settings: search }],
    toolChoice: { type: 'required' },
  })
  expect(asked('web_search').tools).toHaveLength(1)
  expect(asked('look').toolChoice).toEqual({ type: 'named', names: ['look'], mode: 'required' })
})

test('cache_control of the request marks the last block; null is as good as absent', () => {
  const request = read({
    ...least,
    cache_control: { type: 'ephemeral' },
    temperature: null,
    stop_sequences: null,
    thinking: null,
    tools: null,
    container: null,
    inference_geo: 'global',
    system: null,
  })
  expect(request.messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Hi', cache: 'minutes' }] },
  ])
  expect(request.stop).toBeUndefined()
})

test('tools that the vendor would search for are shown at once', () => {
  const found = { name: 'look', input_schema: { type: 'object' }, defer_loading: true }
  const search = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
  expect(read({ ...least, tools: [search, found] }).tools).toMatchObject([{ type: 'function', name: 'look' }])
})

describe('reasoning', () => {
  const table: readonly [JsonObject, Reasoning | undefined][] = [
    [{}, undefined],
    [{ output_config: { effort: 'xhigh' } }, { effort: 'xhigh' }],
    [{ thinking: { type: 'adaptive' } }, { budget: -1, visible: true }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { budget: -1, visible: false }],
    [{ thinking: { type: 'disabled' } }, { budget: 0 }],
    [
      { thinking: { type: 'between_tools' }, output_config: { effort: 'low' } },
      { budget: 0, effort: 'low' },
    ],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { budget: 1024, visible: true }],
  ]
  test.each(table)('%j', (fields, reasoning) => {
    expect(read({ ...least, ...fields }).reasoning).toEqual(reasoning)
  })
})

describe('bad input is refused by name', () => {
  const fields: readonly [string, JsonObject][] = [
    ['model', { model: '' }],
    ['model', { model: 5 }],
    ...[undefined, null, -1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, '5'].map(
      (value): [string, JsonObject] => ['max_tokens', { max_tokens: value }],
    ),
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: { length: 1 } }],
    ['messages.0', { messages: [null] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages.0.role', { messages: [{ role: 'constructor', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages.0.content.0', { messages: [{ role: 'user', content: [null] }] }],
    ['messages.0.content.0.type', { messages: [{ role: 'user', content: [{}] }] }],
    ['messages.0.content.0.type', { messages: [{ role: 'user', content: [{ type: '__proto__' }] }] }],
    ['messages.0.content.0.text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages.0.content.0.source', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    [
      'messages.0.content.0.source.type',
      { messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] },
    ],
    [
      'messages.0.content.0.input',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: [] }] }] },
    ],
    [
      'messages.0.content.0.content',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 1 }] }] },
    ],
    ['system', { system: 5 }],
    ['system', { system: [{ type: 'image', source: { type: 'url', url: 'x' } }] }],
    ['stream', { stream: 'yes' }],
    ['temperature', { temperature: 'hot' }],
    ['temperature', { temperature: 1.5 }],
    ['top_p', { top_p: -1 }],
    ['top_k', { top_k: 1.5 }],
    ['stop_sequences', { stop_sequences: 'x' }],
    ['stop_sequences', { stop_sequences: [1] }],
    ['metadata', { metadata: 'x' }],
    ['metadata.user_id', { metadata: { user_id: 5 } }],
    ['tools', { tools: {} }],
    ['tools.0', { tools: [null] }],
    ['tools.0.name', { tools: [{ input_schema: {} }] }],
    ['tools.0.input_schema', { tools: [{ name: 'a' }] }],
    ['tool_choice.type', { tool_choice: { type: 'some' } }],
    ['tool_choice.name', { tool_choice: { type: 'tool' } }],
    ['thinking.type', { thinking: { type: 'on' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
    ['output_config.effort', { output_config: { effort: 'huge' } }],
    ['output_config.format.type', { output_config: { format: { type: 'json' } } }],
    ['output_format.type', { output_format: { type: 'json' } }],
    ['output_format.schema', { output_format: { type: 'json_schema' } }],
  ]
  test.each(fields)('%s in %j', (field, change) => {
    const { code, params } = refuse({ ...least, ...change })
    expect(code).toStartWith('field.')
    expect(params.field).toBe(field)
  })

  const features: readonly [string, JsonObject][] = [
    ['container', { container: 'c1' }],
    ['inference_geo', { inference_geo: 'us' }],
    ['mcp_servers', { mcp_servers: [{ name: 'a' }] }],
    ['thread', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ['compaction', { compaction: { type: 'summarize' } }],
    ['max_tokens 0', { max_tokens: 0 }],
    ...['container_upload', 'tool_addition', 'tool_removal'].map((type): [string, JsonObject] => [
      type,
      { messages: [{ role: 'user', content: [{ type, file_id: 'f' }] }] },
    ]),
    ...['code_execution_20250825', 'bash_20250124', 'computer_20250124', 'memory_20250818'].map(
      (type): [string, JsonObject] => [type, { tools: [{ type, name: 'x' }] }],
    ),
  ]
  test.each(features)('%s is not supported', (feature, change) => {
    expect(refuse({ ...least, ...change }).message).toBe(
      `The upstream of this model does not support ${feature}`,
    )
  })
})
