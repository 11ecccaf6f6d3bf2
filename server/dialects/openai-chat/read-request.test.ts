import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../json.ts'
import type { NeutralRequest } from '../spec.ts'
import { openaiChat } from './index.ts'

const HELLO: Json[] = [{ role: 'user', content: 'Hi' }]

function read(body: JsonObject): NeutralRequest {
  return openaiChat.readRequest({ model: 'm', messages: HELLO, ...body }, {})
}

describe('messages', () => {
  test('system texts before the conversation stand apart, later ones stay where they are', () => {
    const request = read({
      messages: [
        { role: 'system', content: 'A' },
        {
          role: 'developer',
          content: [{ type: 'text', text: 'B', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'C' },
      ],
    })
    expect(request.system).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', cache: 'hour' },
    ])
    expect(request.messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'system', parts: [{ type: 'text', text: 'C' }] },
    ])
  })

  test('results that follow one another are one message, with names looked up', () => {
    const request = read({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'x', arguments: '{"q":1}' },
              extra_content: { google: { thought_signature: 'SIG' } },
            },
            { id: 'b', type: 'function', function: { name: '__proto__', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'b', content: 'B' },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A' }] },
        { role: 'tool', tool_call_id: 'z', content: 'Z' },
        { role: 'user', content: 'go on' },
        { role: 'tool', tool_call_id: 'a', content: 'again' },
      ],
    })
    expect(request.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'hm' },
          {
            type: 'tool-call',
            id: 'a',
            name: 'x',
            input: '{"q":1}',
            signature: { by: 'gemini', value: 'SIG' },
          },
          { type: 'tool-call', id: 'b', name: '__proto__', input: '' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'b', name: '__proto__', content: [{ type: 'text', text: 'B' }] },
          { type: 'tool-result', callId: 'a', name: 'x', content: [{ type: 'text', text: 'A' }] },
          { type: 'tool-result', callId: 'z', content: [{ type: 'text', text: 'Z' }] },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'go on' }] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'a', name: 'x', content: [{ type: 'text', text: 'again' }] }],
      },
    ])
  })

  test('the old form of calls is taken', () => {
    const request = read({
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: '1' },
      ],
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
    })
    expect(request.messages).toEqual([
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_0', name: 'f', input: '{}' }] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'call_0', name: 'f', content: [{ type: 'text', text: '1' }] }],
      },
    ])
    expect(request.tools).toEqual([{ type: 'function', name: 'f', schema: { type: 'object' } }])
    expect(request.toolChoice).toEqual({ type: 'named', names: ['f'], mode: 'required' })
  })

  test('signatures and sealed thinking come back from the details, in pieces or whole', () => {
    const request = read({
      messages: [
        {
          role: 'assistant',
          content: 'ok',
          reasoning_content: 'onetwo',
          reasoning_details: [
            { type: 'reasoning.text', text: 'one' },
            { type: 'reasoning.text', text: 'two', signature: 'S' },
            { type: 'reasoning.encrypted', data: 'D' },
            { type: 'reasoning.encrypted', data: 'R', format: 'openai-responses-v1' },
            { type: 'reasoning.encrypted', data: 'X', format: 'xai-responses-v1' },
            { type: 'reasoning.encrypted', data: 'C', format: 'anthropic-claude-v1' },
            null,
            { type: 'reasoning.summary', summary: 'three' },
          ],
        },
      ],
    })
    expect(request.messages[0]?.parts).toEqual([
      { type: 'thinking', text: 'onetwo', signature: { by: 'anthropic', value: 'S' } },
      { type: 'thinking', text: '', redacted: 'D' },
      { type: 'thinking', text: '', signature: { by: 'openai-responses', value: 'R' } },
      { type: 'thinking', text: '', signature: { by: 'openai-chat', value: 'X' } },
      { type: 'thinking', text: '', redacted: 'C' },
      { type: 'thinking', text: 'three' },
      { type: 'text', text: 'ok' },
    ])
  })

  test('every kind of part', () => {
    const table: [Json, unknown][] = [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'a' },
      ],
      [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'a', cache: 'minutes' },
      ],
      [
        { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'text', text: 'a', cache: 'minutes' },
      ],
      [
        { type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } },
        { type: 'image', source: { url: 'https://x/y.png' }, detail: 'low' },
      ],
      [
        { type: 'image_url', image_url: 'data:image/png;base64,QUJD' },
        { type: 'image', source: { data: 'QUJD', mediaType: 'image/png' } },
      ],
      [
        { type: 'image_url', image_url: { url: 'DATA:;base64,QUJD' } },
        { type: 'image', source: { data: 'QUJD', mediaType: 'image/jpeg' } },
      ],
      [
        { type: 'image_url', image_url: { url: 'data:image/svg+xml;charset=utf-8,%3Csvg/%3E' } },
        { type: 'image', source: { data: 'PHN2Zy8+', mediaType: 'image/svg+xml' } },
      ],
      [
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        { type: 'audio', source: { data: 'QUJD', mediaType: 'audio/mpeg' } },
      ],
      [
        { type: 'file', file: { file_data: 'data:application/pdf;base64,QUJD', filename: 'a.pdf' } },
        { type: 'file', source: { data: 'QUJD', mediaType: 'application/pdf' }, name: 'a.pdf' },
      ],
      [
        { type: 'file', file: { file_data: 'QUJD', filename: 'a.TXT' } },
        { type: 'file', source: { data: 'QUJD', mediaType: 'text/plain' }, name: 'a.TXT' },
      ],
      [
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'file', source: { fileId: 'file-1' } },
      ],
      [
        { type: 'refusal', refusal: 'no' },
        { type: 'text', text: 'no', refusal: true },
      ],
      [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'thinking', text: 'hm' },
      ],
    ]
    for (const [part, expected] of table)
      expect(read({ messages: [{ role: 'user', content: [part] }] }).messages[0]?.parts).toEqual([
        expected,
      ] as never)
  })

  test('a mark on the message is one on its last part', () => {
    const request = read({
      messages: [{ role: 'user', content: 'a', cache_control: { type: 'ephemeral' } }],
    })
    expect(request.messages[0]?.parts).toEqual([{ type: 'text', text: 'a', cache: 'minutes' }])
  })
})

describe('settings', () => {
  test('every plain field', () => {
    const request = read({
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      frequency_penalty: 1,
      presence_penalty: -1,
      seed: -7,
      stop: 'x',
      max_tokens: 10,
      max_completion_tokens: 20,
      parallel_tool_calls: false,
      verbosity: 'low',
      user: 'u',
      service_tier: 'flex',
      prompt_cache_key: 'k',
      reasoning_effort: 'xhigh',
    })
    expect(request).toEqual({
      model: 'm',
      stream: true,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      frequencyPenalty: 1,
      presencePenalty: -1,
      seed: -7,
      stop: ['x'],
      maxOutput: 20,
      parallelTools: false,
      verbosity: 'low',
      user: 'u',
      serviceTier: 'flex',
      cacheKey: 'k',
      reasoning: { effort: 'xhigh' },
      wantsUsage: true,
    })
  })

  test('what the path says counts; null is absent', () => {
    const body = {
      model: 'm',
      messages: HELLO,
      stream: null,
      n: null,
      stop: null,
      tools: null,
      max_tokens: null,
    }
    expect(openaiChat.readRequest(body, { model: 'p', stream: true })).toMatchObject({
      model: 'p',
      stream: true,
    })
    expect(openaiChat.readRequest(body, {})).toMatchObject({ model: 'm', stream: false, tools: [] })
  })

  test('thinking as clients of other vendors ask for it', () => {
    const table: [JsonObject, unknown][] = [
      [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { budget: 2000, visible: true }],
      [{ thinking: { type: 'enabled' } }, { budget: -1, visible: true }],
      [
        { thinking: { type: 'adaptive' }, reasoning_effort: 'low' },
        { effort: 'low', visible: true },
      ],
      [{ thinking: { type: 'disabled' } }, { budget: 0 }],
      [{ reasoning: { effort: 'high', exclude: true } }, { effort: 'high', visible: false }],
      [{ reasoning: { max_tokens: 3000 } }, { budget: 3000 }],
      [{ reasoning: { enabled: true } }, { budget: -1 }],
      [{ reasoning: { effort: 'none' } }, { budget: 0 }],
      [{ reasoning: { effort: 'much' }, enable_thinking: 1, thinking_budget: '9' }, undefined],
      [{ enable_thinking: false }, { budget: 0 }],
      [{ enable_thinking: true, thinking_budget: 500 }, { budget: 500 }],
      [{ reasoning_effort: 'low', reasoning: { effort: 'high' } }, { effort: 'low' }],
      [{}, undefined],
    ]
    for (const [body, expected] of table) expect(read(body).reasoning).toEqual(expected as never)
  })

  test('tools', () => {
    const request = read({
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
          cache_control: { type: 'ephemeral' },
        },
        { type: 'web_search', search_context_size: 'low' },
      ],
      web_search_options: { search_context_size: 'high' },
    })
    expect(request.tools).toEqual([
      {
        type: 'function',
        name: 'f',
        description: 'd',
        schema: { type: 'object' },
        strict: true,
        cache: 'minutes',
      },
      { type: 'web-search', settings: { search_context_size: 'low' }, by: 'openai-chat' },
      { type: 'web-search', settings: { search_context_size: 'high' }, by: 'openai-chat' },
    ])
  })

  test('choices of tools', () => {
    const named = { type: 'function', function: { name: 'f' } }
    const table: [Json, unknown][] = [
      ['auto', { type: 'auto' }],
      ['none', { type: 'none' }],
      ['required', { type: 'required' }],
      ['any', { type: 'required' }],
      [named, { type: 'named', names: ['f'], mode: 'required' }],
      [
        { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } },
        { type: 'named', names: ['f'], mode: 'auto' },
      ],
      [
        { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] },
        { type: 'named', names: ['g'], mode: 'required' },
      ],
    ]
    for (const [choice, expected] of table)
      expect(read({ tool_choice: choice }).toolChoice).toEqual(expected as never)
  })

  test('formats', () => {
    expect(read({ response_format: { type: 'text' } }).format).toBeUndefined()
    expect(read({ response_format: { type: 'json_object' } }).format).toEqual({ type: 'json' })
    const json_schema = { name: 'n', schema: { type: 'object' }, strict: true }
    expect(read({ response_format: { type: 'json_schema', json_schema } }).format).toEqual({
      type: 'schema',
      ...json_schema,
    })
  })
})
