import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Message, NeutralRequest, Part } from '../spec.ts'
import { openaiResponses } from './index.ts'

const CLOSED = { type: 'object', additionalProperties: false }
const HI: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }

function write(fields: Partial<NeutralRequest>): JsonObject {
  const request = { model: 'asked', stream: false, system: [], messages: [HI], tools: [], ...fields }
  return openaiResponses.writeRequest(request, { model: 'up', stream: true })
}

const writeParts = (role: Message['role'], ...parts: Part[]) => write({ messages: [{ role, parts }] }).input

test('a request with no wishes is written with nothing but what has to be there', () => {
  expect(JSON.stringify(write({}))).toBe(
    '{"model":"up","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}],"stream":true,"store":false}',
  )
})

describe('fields', () => {
  const f = { type: 'function', name: 'f' } as const
  const cases: [string, Partial<NeutralRequest>, JsonObject][] = [
    [
      'system',
      {
        system: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two', cache: 'hour' },
        ],
      },
      { instructions: 'One\n\nTwo' },
    ],
    [
      'limits',
      { maxOutput: 17, temperature: 0, topP: 0.5 },
      { max_output_tokens: 17, temperature: 0, top_p: 0.5 },
    ],
    ['the least limit', { maxOutput: 1 }, { max_output_tokens: 16 }],
    ['no such fields', { topK: 4, seed: 1, frequencyPenalty: 1, presencePenalty: 1, stop: [] }, {}],
    [
      'tools',
      {
        tools: [
          { ...f, schema: CLOSED, strict: true },
          { ...f, name: 'g' },
          { ...f, name: 'h', schema: { type: 'object' }, strict: true },
        ],
        parallelTools: false,
      },
      {
        tools: [
          { type: 'function', name: 'f', parameters: CLOSED, strict: true },
          { type: 'function', name: 'g', parameters: { type: 'object', properties: {} }, strict: false },
          { type: 'function', name: 'h', parameters: { type: 'object' }, strict: false },
        ],
        parallel_tool_calls: false,
      },
    ],
    ['a choice without tools', { toolChoice: { type: 'required' }, parallelTools: true }, {}],
    [
      'a named tool',
      { tools: [f], toolChoice: { type: 'named', names: ['f'], mode: 'required' } },
      {
        tools: [
          { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
        ],
        tool_choice: { type: 'function', name: 'f' },
      },
    ],
    [
      'search as chat says it',
      {
        tools: [
          {
            type: 'web-search',
            by: 'openai-chat',
            settings: {
              search_context_size: 'low',
              user_location: { type: 'approximate', approximate: { city: 'Oslo' } },
            },
          },
        ],
        toolChoice: { type: 'named', names: ['a', 'b'], mode: 'auto' },
      },
      {
        tools: [
          {
            type: 'web_search',
            search_context_size: 'low',
            user_location: { type: 'approximate', city: 'Oslo' },
          },
        ],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [
            { type: 'function', name: 'a' },
            { type: 'function', name: 'b' },
          ],
        },
      },
    ],
    [
      'search as Anthropic says it',
      {
        tools: [
          { type: 'web-search', by: 'anthropic', settings: { max_uses: 2, allowed_domains: ['a.no'] } },
        ],
      },
      { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.no'] } }] },
    ],
    ['json', { format: { type: 'json' } }, { text: { format: { type: 'json_object' } } }],
    [
      'schema',
      { format: { type: 'schema', name: 'n', schema: { type: 'object' } }, verbosity: 'low' },
      {
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: false },
          verbosity: 'low',
        },
      },
    ],
    ['a short user', { user: 'u', cacheKey: 'k' }, { safety_identifier: 'u', prompt_cache_key: 'k' }],
    ['a long user', { user: 'u'.repeat(65) }, {}],
    ['a tier', { serviceTier: 'flex' }, { service_tier: 'flex' }],
    ['a tier of Anthropic', { serviceTier: 'standard_only' }, { service_tier: 'default' }],
    ['an unknown tier', { serviceTier: 'gold' }, {}],
  ]
  test.each(cases)('%s', (_, fields, expected) => {
    const { model, input, stream, store, ...rest } = write(fields)
    expect(JSON.parse(JSON.stringify(rest))).toEqual(expected)
    expect({ model, stream, store }).toEqual({ model: 'up', stream: true, store: false })
    expect(Array.isArray(input)).toBe(true)
  })
})

describe('reasoning', () => {
  const include = ['reasoning.encrypted_content']
  const cases: [NeutralRequest['reasoning'], JsonObject | undefined, string[] | undefined][] = [
    [{ effort: 'high', visible: true }, { effort: 'high', summary: 'auto' }, include],
    [{ effort: 'none', visible: true }, { effort: 'none' }, undefined],
    [{ budget: 0 }, { effort: 'none' }, undefined],
    [{ budget: 1 }, { effort: 'low' }, include],
    [{ budget: 1024 }, { effort: 'low' }, include],
    [{ budget: 1025 }, { effort: 'medium' }, include],
    [{ budget: 8192 }, { effort: 'medium' }, include],
    [{ budget: 8193 }, { effort: 'high' }, include],
    [{ budget: -1, visible: true }, { summary: 'auto' }, include],
    [{ budget: 9000, effort: 'low' }, { effort: 'low' }, include],
    [undefined, undefined, undefined],
  ]
  test.each(cases)('%j', (reasoning, expected, included) => {
    const body = write({ reasoning })
    expect(body.reasoning).toEqual(expected)
    expect(body.include).toEqual(included)
  })
})

describe('parts', () => {
  test('a turn of the assistant keeps its order', () => {
    const body = write({
      messages: [
        HI,
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'Hm', signature: { by: 'openai-responses', value: 'gAAAA' } },
            { type: 'thinking', text: 'Foreign', signature: { by: 'anthropic', value: 'S' } },
            { type: 'thinking', text: 'Unsigned' },
            { type: 'thinking', text: '', redacted: 'R' },
            { type: 'text', text: 'Look' },
            { type: 'text', text: '' },
            { type: 'text', text: 'No', refusal: true },
            { type: 'tool-call', id: 'c1', name: 'f', input: '' },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool-result',
              callId: 'c1',
              content: [
                { type: 'text', text: 'a' },
                { type: 'text', text: 'b' },
              ],
            },
            { type: 'tool-result', callId: 'c2', content: [], isError: true },
            { type: 'text', text: 'And?' },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'Note' }] },
      ],
    })
    expect(body.include).toEqual(['reasoning.encrypted_content'])
    expect(body.input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAAA' },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Look', annotations: [] },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a\nb' },
      { type: 'function_call_output', call_id: 'c2', output: '' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Note' }] },
    ])
  })

  const media: [string, Part, JsonObject][] = [
    [
      'image data',
      { type: 'image', source: { data: 'iVBO', mediaType: 'image/png' } },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBO', detail: 'auto' },
    ],
    [
      'image url',
      { type: 'image', source: { url: 'https://a/b' }, detail: 'low' },
      { type: 'input_image', image_url: 'https://a/b', detail: 'low' },
    ],
    [
      'file data',
      { type: 'file', source: { data: 'JVBE', mediaType: 'application/pdf' } },
      { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,JVBE' },
    ],
    [
      'file url',
      { type: 'file', source: { url: 'https://a/b' } },
      { type: 'input_file', file_url: 'https://a/b' },
    ],
    ['file id', { type: 'file', source: { fileId: 'f1' } }, { type: 'input_file', file_id: 'f1' }],
  ]
  test.each(media)('%s', (_, part, expected) => {
    expect(writeParts('user', part)).toEqual([{ type: 'message', role: 'user', content: [expected] }])
  })

  test('a result with an image is a list', () => {
    const image: Part = { type: 'image', source: { url: 'https://a/b' } }
    const result: Part = { type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'a' }, image] }
    expect(writeParts('user', result)).toEqual([
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'https://a/b', detail: 'auto' },
        ],
      },
    ])
  })
})

describe('refused', () => {
  const audio: Part = { type: 'audio', source: { data: 'UklG', mediaType: 'audio/wav' } }
  const cases: [string, Partial<NeutralRequest>][] = [
    ['audio input', { messages: [{ role: 'user', parts: [audio] }] }],
  ]
  test.each(cases)('%s', (feature, fields) => {
    let thrown: unknown
    try {
      write(fields)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AppError)
    expect(thrown).toHaveProperty('message', `The upstream of this model does not support ${feature}`)
  })
})

test('a request that was read is written as it was', () => {
  const body: JsonObject = {
    model: 'up',
    instructions: 'Be brief',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAAA' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Let me look', annotations: [] }],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
    ],
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: CLOSED, strict: true },
      { type: 'web_search_preview', search_context_size: 'low' },
    ],
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: false,
    temperature: 1,
    top_p: 0.5,
    max_output_tokens: 100,
    reasoning: { effort: 'low', summary: 'auto' },
    text: {
      format: { type: 'json_schema', name: 'n', schema: CLOSED, strict: true },
      verbosity: 'low',
    },
    safety_identifier: 'u',
    prompt_cache_key: 'k',
    service_tier: 'flex',
  }
  const request = openaiResponses.readRequest(body, {})
  expect(openaiResponses.writeRequest(request, { model: 'up', stream: true })).toEqual(body)
})
