import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Message, NeutralRequest } from '../spec.ts'
import { openaiResponses } from './index.ts'

const read = (body: JsonObject) => openaiResponses.readRequest({ model: 'm', input: 'Hi', ...body }, {})
const readItems = (...input: Json[]) => read({ input })

function refusal(body: JsonObject): AppError {
  try {
    openaiResponses.readRequest(body, {})
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('was not refused')
}

const CALL = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a":1}' }
const OUTPUT = { type: 'function_call_output', call_id: 'c1', output: 'sunny' }
const USER = { role: 'user', content: 'Go' }
const USED: Message = { role: 'user', parts: [{ type: 'text', text: 'Go' }] }

describe('fields', () => {
  test('a text', () => {
    expect(read({})).toMatchObject({
      model: 'm',
      stream: false,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
    })
  })

  const cases: [string, JsonObject, Partial<NeutralRequest>][] = [
    ['stream', { stream: true }, { stream: true }],
    ['max_output_tokens', { max_output_tokens: 16 }, { maxOutput: 16 }],
    ['sampling', { temperature: 0, top_p: 1 }, { temperature: 0, topP: 1 }],
    ['parallel_tool_calls', { parallel_tool_calls: false }, { parallelTools: false }],
    ['user', { user: 'u' }, { user: 'u' }],
    ['safety_identifier', { user: 'u', safety_identifier: 's' }, { user: 's' }],
    ['prompt_cache_key', { prompt_cache_key: 'k' }, { cacheKey: 'k' }],
    ['service_tier', { service_tier: 'flex' }, { serviceTier: 'flex' }],
    ['effort', { reasoning: { effort: 'xhigh' } }, { reasoning: { effort: 'xhigh', visible: false } }],
    ['summary', { reasoning: { summary: 'auto' } }, { reasoning: { visible: true } }],
    ['plain text', { text: { format: { type: 'text' }, verbosity: 'low' } }, { verbosity: 'low' }],
    ['json', { text: { format: { type: 'json_object' } } }, { format: { type: 'json' } }],
    [
      'schema',
      { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } } },
      { format: { type: 'schema', name: 'n', schema: { type: 'object' }, strict: true } },
    ],
    ['tool_choice', { tool_choice: 'required' }, { toolChoice: { type: 'required' } }],
    [
      'tool_choice of a function',
      { tool_choice: { type: 'function', name: 'f' } },
      { toolChoice: { type: 'named', names: ['f'], mode: 'required' } },
    ],
    [
      'tool_choice of the search',
      {
        tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }],
        tool_choice: { type: 'web_search' },
      },
      {
        tools: [{ type: 'web-search', settings: { type: 'web_search' }, by: 'openai-responses' }],
        toolChoice: { type: 'required' },
      },
    ],
    [
      'tool_choice of several',
      {
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [
            { type: 'function', name: 'f' },
            { type: 'function', name: 'g' },
          ],
        },
      },
      { toolChoice: { type: 'named', names: ['f', 'g'], mode: 'auto' } },
    ],
    [
      'a function',
      {
        tools: [
          { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
        ],
      },
      {
        tools: [{ type: 'function', name: 'f', description: 'd', schema: { type: 'object' }, strict: true }],
      },
    ],
    [
      'web search',
      { tools: [{ type: 'web_search_preview', search_context_size: 'low' }] },
      {
        tools: [
          {
            type: 'web-search',
            settings: { type: 'web_search_preview', search_context_size: 'low' },
            by: 'openai-responses',
          },
        ],
      },
    ],
    [
      'what is let go',
      { store: true, metadata: { a: 'b' }, include: ['reasoning.encrypted_content'], top_logprobs: 0 },
      {},
    ],
    [
      'nulls',
      {
        instructions: null,
        stream: null,
        max_output_tokens: null,
        tools: null,
        tool_choice: null,
        text: null,
        reasoning: null,
        previous_response_id: null,
        background: null,
      },
      { stream: false, tools: [] },
    ],
  ]
  test.each(cases)('%s', (_, body, expected) => {
    expect(read(body)).toMatchObject(expected as object)
  })

  test('the path wins over the body', () => {
    const request = openaiResponses.readRequest({ model: 'm', input: 'Hi' }, { model: 'other', stream: true })
    expect(request).toMatchObject({ model: 'other', stream: true })
  })
})

describe('conversations', () => {
  test('system texts before it are the system, those inside stay', () => {
    const request = read({
      instructions: 'One',
      input: [
        { role: 'developer', content: 'Two' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Three' }] },
        USER,
        { role: 'developer', content: 'Four' },
      ],
    })
    expect(request.system.map(part => part.text)).toEqual(['One', 'Two', 'Three'])
    expect(request.messages).toEqual([USED, { role: 'system', parts: [{ type: 'text', text: 'Four' }] }])
  })

  test('items of one turn become one message, and results know the name of their function', () => {
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'One' },
        { type: 'summary_text', text: 'Two' },
      ],
      encrypted_content: 'gAAAA',
    }
    const said = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Let me look' }],
    }
    const other = { ...CALL, call_id: 'c2', name: 'g', arguments: '' }
    const image = { type: 'input_image', image_url: 'https://a.example/x.png' }
    const request = readItems(
      USER,
      reasoning,
      said,
      CALL,
      other,
      OUTPUT,
      { ...OUTPUT, call_id: 'c2', output: [image] },
      USER,
    )
    expect(request.messages).toEqual([
      USED,
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'One\n\nTwo', signature: { by: 'openai-responses', value: 'gAAAA' } },
          { type: 'text', text: 'Let me look' },
          { type: 'tool-call', id: 'c1', name: 'f', input: '{"a":1}' },
          { type: 'tool-call', id: 'c2', name: 'g', input: '' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'c1', name: 'f', content: [{ type: 'text', text: 'sunny' }] },
          {
            type: 'tool-result',
            callId: 'c2',
            name: 'g',
            content: [{ type: 'image', source: { url: 'https://a.example/x.png' } }],
          },
        ],
      },
      USED,
    ])
  })

  test('results of different turns stay apart', () => {
    const request = readItems(CALL, OUTPUT, USER, OUTPUT)
    expect(request.messages.map(message => message.parts.map(part => part.type))).toEqual([
      ['tool-call'],
      ['tool-result'],
      ['text'],
      ['tool-result'],
    ])
  })

  test('what other vendors signed comes back as theirs', () => {
    const sealed = (encrypted_content: string) => ({ type: 'reasoning', summary: [], encrypted_content })
    const request = readItems(
      USER,
      { ...sealed('tg1.anthropic.a.b=='), summary: [{ type: 'summary_text', text: 'Hm' }] },
      sealed('tg1r.anthropic.R'),
      sealed('tg1c.gemini.G'),
      CALL,
      sealed('tg1.nobody.x'),
    )
    expect(request.messages[1]?.parts).toEqual([
      { type: 'thinking', text: 'Hm', signature: { by: 'anthropic', value: 'a.b==' } },
      { type: 'thinking', text: '', redacted: 'R' },
      { type: 'tool-call', id: 'c1', name: 'f', input: '{"a":1}', signature: { by: 'gemini', value: 'G' } },
      { type: 'thinking', text: '', signature: { by: 'openai-responses', value: 'tg1.nobody.x' } },
    ])
  })

  const parts: [string, JsonObject, object][] = [
    ['refusal', { type: 'refusal', refusal: 'No' }, { type: 'text', text: 'No', refusal: true }],
    [
      'image data',
      { type: 'input_image', image_url: 'data:image/PNG;base64,iVBO', detail: 'low' },
      { type: 'image', source: { data: 'iVBO', mediaType: 'image/png' }, detail: 'low' },
    ],
    ['image file', { type: 'input_image', file_id: 'f1' }, { type: 'image', source: { fileId: 'f1' } }],
    [
      'file data',
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
      { type: 'file', source: { data: 'JVBE', mediaType: 'application/pdf' }, name: 'a.pdf' },
    ],
    [
      'file url',
      { type: 'input_file', file_url: 'https://a/b' },
      { type: 'file', source: { url: 'https://a/b' } },
    ],
    ['file id', { type: 'input_file', file_id: 'f1' }, { type: 'file', source: { fileId: 'f1' } }],
    [
      'cache mark',
      { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 'a', cache: 'minutes' },
    ],
  ]
  test.each(parts)('%s', (_, part, expected) => {
    const request = readItems({ role: 'user', content: [part] })
    expect(request.messages[0]?.parts).toEqual([expected] as Message['parts'])
  })

  test.each(['rs_1_0', 'ws_1'])('a thought or a search that is only named is left out: %s', id => {
    const named = { type: 'item_reference', id }
    expect(readItems(USER, named, CALL, OUTPUT).messages).toEqual(readItems(USER, CALL, OUTPUT).messages)
  })

  test('a made image is shown again; a search is not', () => {
    const request = readItems(
      USER,
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'image_generation_call', id: 'ig_1', result: 'iVBO', output_format: 'webp' },
    )
    expect(request.messages.slice(1)).toEqual([
      { role: 'assistant', parts: [{ type: 'image', source: { data: 'iVBO', mediaType: 'image/webp' } }] },
    ])
  })

  test('very many parts', () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: 'output_text', text: 'a' }))
    const request = readItems({ role: 'assistant', content: 'x' }, { role: 'assistant', content })
    expect(request.messages[0]?.parts.length).toBe(200_001)
  })
})

describe('refused fields', () => {
  const count = (value: Json): [JsonObject, string] => [{ max_output_tokens: value }, 'max_output_tokens']
  const content = (value: Json, field: string): [JsonObject, string] => [
    { input: [{ role: 'user', content: value }] },
    `input[0].content${field}`,
  ]
  const cases: [JsonObject, string][] = [
    ...[-1, 0, 0.5, 2 ** 53, JSON.parse('1e400'), '5', true, {}, []].map(count),
    [{ model: '' }, 'model'],
    [{ model: 5 }, 'model'],
    [{ input: undefined }, 'input'],
    [{ input: null }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: {} }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [null] }, 'input[0]'],
    [{ input: ['Hi'] }, 'input[0]'],
    [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: '__proto__', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ ...CALL, call_id: null }] }, 'input[0].call_id'],
    [{ input: [{ ...CALL, name: '' }] }, 'input[0].name'],
    [{ input: [{ ...CALL, arguments: {} }] }, 'input[0].arguments'],
    [{ input: [{ ...OUTPUT, output: null }] }, 'input[0].output'],
    [{ input: [{ ...OUTPUT, output: [{ type: 'input_text' }] }] }, 'input[0].output[0].text'],
    content(null, ''),
    content({}, ''),
    content([5], '[0]'),
    content([{ type: 'video' }], '[0].type'),
    content([{ type: 'input_image' }], '[0].image_url'),
    content([{ type: 'input_image', image_url: { url: 'x' } }], '[0].image_url'),
    content([{ type: 'input_image', image_url: 'data:image/png,raw' }], '[0].image_url'),
    content([{ type: 'input_image', image_url: 'data:' }], '[0].image_url'),
    content([{ type: 'input_file' }], '[0].file_data'),
    [{ instructions: [] }, 'instructions'],
    [{ stream: 'yes' }, 'stream'],
    [{ temperature: 2.1 }, 'temperature'],
    [{ temperature: '1' }, 'temperature'],
    [{ top_p: -0.1 }, 'top_p'],
    [{ reasoning: 'high' }, 'reasoning'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', name: 'n' } } }, 'text.format.schema'],
    [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
    [{ tools: {} }, 'tools'],
    [{ tools: [null] }, 'tools[0]'],
    [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [{ type: 'function', name: 'f', parameters: 'x' }] }, 'tools[0].parameters'],
    [{ tool_choice: 'some' }, 'tool_choice'],
    [{ tool_choice: { type: 'function' } }, 'tool_choice.name'],
    [{ tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }, 'tool_choice.tools'],
    [{ include: 'x' }, 'include'],
    [{ user: 5 }, 'user'],
  ]
  test.each(cases)('%j', (body, field) => {
    const { code, params } = refusal({ model: 'm', input: 'Hi', ...body })
    expect(code).toStartWith('field.')
    expect(params).toMatchObject({ field })
  })
})

describe('what only the vendor has', () => {
  const cases: [JsonObject, string][] = [
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ background: true }, 'background'],
    [{ moderation: { model: 'omni-moderation-latest' } }, 'moderation'],
    [{ generate: false }, 'generate false'],
    [{ prompt_cache_options: { prewarm: true } }, 'prompt_cache_options.prewarm'],
    ...['msg_1', 'fc_1', '', null, 5].map((id): [JsonObject, string] => [
      { input: [{ type: 'item_reference', id }] },
      'item_reference (send the item itself; SDKs do with store: false)',
    ]),
    [{ input: [{ type: 'computer_call' }] }, 'computer_call'],
    [
      { input: [{ role: 'system', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'media in system messages',
    ],
    ...['code_interpreter', 'file_search', 'mcp', 'image_generation', 'computer', 'shell'].map(
      (type): [JsonObject, string] => [{ tools: [{ type }] }, type],
    ),
    [{ tool_choice: { type: 'mcp', server_label: 'x' } }, 'tool_choice mcp'],
  ]
  test.each(cases)('%j', (body, feature) => {
    const { code, message } = refusal({ model: 'm', input: 'Hi', ...body })
    expect(code).toStartWith('feature.')
    expect(message).toBe(`The upstream of this model does not support ${feature}`)
  })
})
