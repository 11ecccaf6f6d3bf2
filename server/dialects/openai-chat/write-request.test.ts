import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Message, NeutralRequest, Part, Reasoning, ToolChoice } from '../spec.ts'
import { openaiChat } from './index.ts'

const CLOSED = { type: 'object', additionalProperties: false }
const PLAIN: NeutralRequest = { model: 'asked', stream: false, system: [], messages: [], tools: [] }

function write(request: Partial<NeutralRequest>, model = 'm', stream = false): JsonObject {
  const body = openaiChat.writeRequest({ ...PLAIN, ...request }, { model, stream })
  return JSON.parse(JSON.stringify(body)) as JsonObject
}

function writeParts(role: Message['role'], parts: Part[], model = 'm') {
  return write({ messages: [{ role, parts }] }, model).messages
}

const FULL: NeutralRequest = {
  model: 'm',
  stream: true,
  system: [{ type: 'text', text: 'Be brief' }],
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'See' },
        { type: 'image', source: { data: 'QUJD', mediaType: 'image/png' }, detail: 'low' },
        { type: 'image', source: { url: 'https://x/y' } },
        { type: 'audio', source: { data: 'QUJD', mediaType: 'audio/mpeg' } },
        { type: 'file', source: { data: 'QUJD', mediaType: 'application/pdf' }, name: 'a.pdf' },
        { type: 'file', source: { fileId: 'file-1' } },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'Look' },
        { type: 'tool-call', id: 'a', name: 'f', input: '{"q":1}' },
        { type: 'tool-call', id: 'b', name: 'g', input: '{}' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'tool-result', callId: 'a', name: 'f', content: [{ type: 'text', text: '1' }] },
        { type: 'tool-result', callId: 'b', name: 'g', content: [{ type: 'text', text: '2' }] },
      ],
    },
    { role: 'system', parts: [{ type: 'text', text: 'Now French' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
  ],
  tools: [
    { type: 'function', name: 'f', description: 'd', schema: { type: 'object' }, strict: false },
    { type: 'web-search', settings: { search_context_size: 'low' }, by: 'openai-chat' },
  ],
  toolChoice: { type: 'named', names: ['f', 'g'], mode: 'auto' },
  parallelTools: false,
  temperature: 0.5,
  topP: 0.9,
  frequencyPenalty: 1,
  presencePenalty: -1,
  seed: 7,
  stop: ['x', 'y'],
  maxOutput: 20,
  reasoning: { effort: 'high' },
  format: { type: 'schema', name: 'n', schema: CLOSED, strict: true, description: 'd' },
  verbosity: 'low',
  user: 'u',
  serviceTier: 'flex',
  cacheKey: 'k',
  wantsUsage: true,
}

test('what is written is read as what it was', () => {
  expect(openaiChat.readRequest(write(FULL, 'm', true), {})).toEqual(FULL)
})

test('only what OpenAI takes as strict is called that', () => {
  const format = { type: 'schema', name: 'n', schema: { type: 'object' }, strict: true } as const
  const tool = { type: 'function', name: 'f', strict: true } as const
  const { response_format, tools } = write({ format, tools: [{ ...tool, schema: format.schema }, tool] })
  expect(response_format).toMatchObject({ json_schema: { schema: { type: 'object' }, strict: false } })
  expect(tools).toMatchObject([{ function: { strict: false } }, { function: { strict: false } }])
  expect(write({ tools: [{ ...tool, schema: CLOSED }] }).tools).toMatchObject([
    { function: { strict: true } },
  ])
})

test('a user is named in 64 characters or not at all', () => {
  expect(write({ user: 'u'.repeat(64) }).user).toHaveLength(64)
  expect(write({ user: 'u'.repeat(65) }).user).toBeUndefined()
})

test('a stream asks for its usage, a plain answer does not', () => {
  expect(write({}, 'up', true)).toEqual({
    model: 'up',
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
  })
  expect(write({ topK: 5, wantsUsage: true }, 'up')).toEqual({ model: 'up', messages: [] })
})

test('system texts are one message; marks are dropped', () => {
  const system = [
    { type: 'text', text: 'A', cache: 'hour' },
    { type: 'text', text: '' },
    { type: 'text', text: 'B' },
  ] as const
  expect(write({ system }).messages).toEqual([{ role: 'system', content: 'A\n\nB' }])
})

test('media of results wait for the next user message', () => {
  const image: Part = { type: 'image', source: { data: 'QUJD', mediaType: 'image/png' } }
  const written = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }
  const results: Part[] = [
    { type: 'tool-result', callId: 'a', content: [image] },
    { type: 'tool-result', callId: 'b', content: [{ type: 'text', text: 'B' }, image], isError: true },
  ]
  const tools = [
    { role: 'tool', tool_call_id: 'a', content: 'The result is in the next message.' },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
  ]
  expect(writeParts('user', results)).toEqual([...tools, { role: 'user', content: [written, written] }])
  expect(writeParts('user', [...results, { type: 'text', text: 'Go' }])).toEqual([
    ...tools,
    { role: 'user', content: [written, written, { type: 'text', text: 'Go' }] },
  ])
})

test('what an assistant thought and called goes back as each upstream takes it', () => {
  const call: Part = {
    type: 'tool-call',
    id: 'a',
    name: 'f',
    input: '',
    signature: { by: 'gemini', value: 'G' },
  }
  const thinking: Part = { type: 'thinking', text: 'hm', signature: { by: 'anthropic', value: 'S' } }
  const plainCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  const table: [Part[], string, JsonObject[]][] = [
    [[call], 'gpt', [{ role: 'assistant', content: null, tool_calls: [plainCall] }]],
    [
      [call],
      'google/gemini-3',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...plainCall, extra_content: { google: { thought_signature: 'G' } } }],
        },
      ],
    ],
    [[thinking], 'gpt', [{ role: 'assistant', content: '', reasoning_content: 'hm' }]],
    [
      [thinking, { type: 'thinking', text: '', redacted: 'D' }],
      'Claude-x',
      [
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          reasoning_details: [
            { type: 'reasoning.text', text: 'hm', signature: 'S', format: 'anthropic-claude-v1', index: 0 },
            { type: 'reasoning.encrypted', data: 'D', format: 'anthropic-claude-v1', index: 1 },
          ],
        },
      ],
    ],
    [[{ type: 'thinking', text: '', redacted: 'D' }], 'gpt', []],
    [[{ type: 'text', text: 'no', refusal: true }], 'gpt', [{ role: 'assistant', content: 'no' }]],
  ]
  for (const [parts, model, expected] of table)
    expect(writeParts('assistant', parts, model)).toEqual(expected)
})

test('a text file goes as text', () => {
  const parts: Part[] = [{ type: 'file', source: { data: 'SMOk', mediaType: 'text/plain' } }]
  expect(writeParts('user', parts)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hä' }] }])
})

test('a file goes as what it is', () => {
  const file = (mediaType: string): Part => ({ type: 'file', source: { data: 'QUJD', mediaType } })
  const url = 'data:image/png;base64,QUJD'
  expect(writeParts('user', [file('image/png'), file('audio/mpeg')])).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
      ],
    },
  ])
})

test('budgets become efforts', () => {
  const table: [Reasoning, unknown][] = [
    [{ budget: 0 }, 'none'],
    [{ budget: -1 }, 'medium'],
    [{ budget: 1 }, 'low'],
    [{ budget: 1024 }, 'low'],
    [{ budget: 1025 }, 'medium'],
    [{ budget: 2048 }, 'medium'],
    [{ budget: 2049 }, 'high'],
    [{ budget: 0, effort: 'max' }, 'max'],
    [{ visible: true }, undefined],
  ]
  for (const [reasoning, effort] of table)
    expect(write({ reasoning }).reasoning_effort).toEqual(effort as never)
})

test('choices of tools, and none where there are no tools', () => {
  const f = { type: 'function', function: { name: 'f' } }
  const table: [ToolChoice, unknown][] = [
    [{ type: 'auto' }, 'auto'],
    [{ type: 'required' }, 'required'],
    [{ type: 'named', names: ['f'], mode: 'required' }, f],
    [
      { type: 'named', names: ['f'], mode: 'auto' },
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [f] } },
    ],
  ]
  for (const [toolChoice, expected] of table)
    expect(write({ toolChoice, tools: [{ type: 'function', name: 'f' }] }).tool_choice).toEqual(
      expected as never,
    )
  expect(write({ toolChoice: { type: 'auto' }, parallelTools: true })).toEqual({ model: 'm', messages: [] })
})

test('tiers, formats and searches of other dialects', () => {
  expect(write({ serviceTier: 'standard_only' }).service_tier).toBe('default')
  expect(write({ serviceTier: 'ultrafast' }).service_tier).toBeUndefined()
  expect(write({ format: { type: 'json' } }).response_format).toEqual({ type: 'json_object' })
  const settings = { max_uses: 5, user_location: { type: 'approximate', city: 'Bonn' } }
  expect(write({ tools: [{ type: 'web-search', settings, by: 'anthropic' }] }).web_search_options).toEqual({
    user_location: { type: 'approximate', approximate: { city: 'Bonn' } },
  })
})

describe('what cannot be carried', () => {
  const table: [Part, string][] = [
    [{ type: 'image', source: { fileId: 'f' } }, 'images by file id'],
    [{ type: 'audio', source: { url: 'https://x' } }, 'audio by address'],
    [{ type: 'file', source: { url: 'https://x' } }, 'files by address'],
    [{ type: 'file', source: { data: 'QUJD', mediaType: 'video/mp4' } }, 'video input'],
  ]
  test.each(table)('%j', (part, feature) => {
    let thrown: unknown
    try {
      writeParts('user', [part])
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AppError)
    expect(thrown).toHaveProperty('message', `The upstream of this model does not support ${feature}`)
  })
})
