import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { Message, NeutralRequest, Tool } from '../spec.ts'
import { gemini } from './index.ts'

const filler = 'skip_thought_signature_validator'
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

function write(request: Partial<NeutralRequest>, model = 'gemini-2.5-pro') {
  const whole = { model: 'm', stream: true, system: [], messages: [user('hi')], tools: [], ...request }
  return JSON.parse(JSON.stringify(gemini.writeRequest(whole, { model, stream: true })))
}

function feature(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error instanceof AppError ? [error.code, error.params.field] : error
  }
}

const calls: Message[] = [
  user('weather?'),
  {
    role: 'assistant',
    parts: [
      { type: 'thinking', text: 'hm', signature: { by: 'anthropic', value: 'x' } },
      { type: 'thinking', text: 'no proof' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', id: 'a', name: 'weather', input: '{"city":"Bern"}' },
      { type: 'tool-call', id: 'b', name: 'clock', input: '' },
    ],
  },
  { role: 'user', parts: [{ type: 'tool-result', callId: 'b', content: [{ type: 'text', text: '12:00' }] }] },
  { role: 'system', parts: [{ type: 'text', text: 'Answer in German.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'and?' },
      { type: 'tool-result', callId: 'a', content: [{ type: 'text', text: '{"t":3}' }] },
      { type: 'tool-result', callId: 'z', content: [{ type: 'text', text: 'gone' }], isError: true },
    ],
  },
]

describe('contents', () => {
  test('a conversation with tools, for 3', () => {
    expect(
      write(
        { system: [{ type: 'text', text: 'Be brief.', cache: 'hour' }], messages: calls },
        'gemini-3.6-flash',
      ),
    ).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Answer in German.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'weather?' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { id: 'a', name: 'weather', args: { city: 'Bern' } }, thoughtSignature: filler },
            { functionCall: { id: 'b', name: 'clock', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'a', name: 'weather', response: { t: 3 } } },
            { functionResponse: { id: 'b', name: 'clock', response: { output: '12:00' } } },
            { text: 'gone' },
            { text: 'and?' },
          ],
        },
      ],
    })
  })

  test('the filler is for 3 and later, and for calls that have none', () => {
    const signed = (value: string | undefined): Message => ({
      role: 'assistant',
      parts: [
        {
          type: 'tool-call',
          id: '1',
          name: 'f',
          input: '{}',
          signature: value ? { by: 'gemini', value } : undefined,
        },
        { type: 'tool-call', id: '2', name: 'f', input: '{}' },
      ],
    })
    const signatures = (message: Message, model: string) =>
      write({ messages: [user('hi'), message] }, model).contents[1].parts.map(
        (part: { thoughtSignature?: string }) => part.thoughtSignature,
      )
    expect(signatures(signed('real'), 'gemini-3-pro-preview')).toEqual(['real', undefined])
    expect(signatures(signed(undefined), 'gemini-4-argon')).toEqual([filler, undefined])
    expect(signatures(signed(undefined), 'models/gemini-flash-latest')).toEqual([filler, undefined])
    expect(signatures(signed(undefined), 'gemini-2.5-flash')).toEqual([undefined, undefined])
    expect(signatures(signed('real'), 'gemini-2.5-flash')).toEqual(['real', undefined])
  })

  test('an id that comes again means the latest call before the result', () => {
    const turn = (name: string): Message[] => [
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'same', name, input: '{}' }] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'same', content: [{ type: 'text', text: '1' }] }],
      },
    ]
    const { contents } = write({ messages: [user('hi'), ...turn('first'), ...turn('second')] })
    expect(contents[2].parts[0].functionResponse.name).toBe('first')
    expect(contents[4].parts[0].functionResponse.name).toBe('second')
  })

  test('own thoughts and signed texts go back, empty texts do not', () => {
    const { contents } = write({
      messages: [
        user('hi'),
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'hm', signature: { by: 'gemini', value: 'dA==' } },
            { type: 'text', text: '' },
            { type: 'text', text: 'yes' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'text', text: '', signature: 'cw==' }] },
      ],
    })
    expect(contents[1]).toEqual({
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: 'dA==' },
        { text: 'yes' },
        { text: '', thoughtSignature: 'cw==' },
      ],
    })
  })

  test('results stand as their calls do, whatever order they come in', () => {
    const call = (id: string) => ({ type: 'tool-call', id, name: 'f', input: '{}' }) as const
    const result = (callId: string) =>
      ({ type: 'tool-result', callId, content: [{ type: 'text', text: callId }] }) as const
    const { contents } = write({
      messages: [
        user('hi'),
        { role: 'assistant', parts: [call('a'), call('b'), call('c')] },
        { role: 'user', parts: [result('z'), result('c'), result('a')] },
        { role: 'user', parts: [{ type: 'text', text: 'well?' }, result('b')] },
      ],
    })
    const said = contents[2].parts.map(
      (part: { functionResponse?: { id: string } }) => part.functionResponse?.id,
    )
    expect(said).toEqual(['a', 'b', 'c', undefined, undefined])
    expect(contents[2].parts.slice(3)).toEqual([{ text: 'z' }, { text: 'well?' }])
  })

  test('media, also in results', () => {
    const image = { type: 'image', source: { data: 'QQ==', mediaType: 'image/png' } } as const
    const inline = { inlineData: { mimeType: 'image/png', data: 'QQ==' } }
    const messages: Message[] = [
      user('hi'),
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'f', input: '{}' }] },
      {
        role: 'user',
        parts: [
          image,
          { type: 'file', source: { url: 'https://x.test/a.pdf', mediaType: 'application/pdf' } },
          { type: 'tool-result', callId: 'c', name: 'f', content: [{ type: 'text', text: 'see' }, image] },
        ],
      },
    ]
    const file = { fileData: { mimeType: 'application/pdf', fileUri: 'https://x.test/a.pdf' } }
    const result = { id: 'c', name: 'f', response: { output: 'see' } }
    expect(write({ messages }).contents[2].parts).toEqual([
      { functionResponse: result },
      inline,
      file,
      inline,
    ])
    expect(write({ messages }, 'gemini-3.8-flash').contents[2].parts).toEqual([
      { functionResponse: { ...result, parts: [inline] } },
      inline,
      file,
    ])
    const byId: Message = { role: 'user', parts: [{ type: 'file', source: { fileId: 'file-1' } }] }
    expect(feature(() => write({ messages: [byId] }))).toEqual(['feature.file-by-id', undefined])
  })

  test('instructions alone become the turn', () => {
    expect(write({ system: [{ type: 'text', text: 'Say hi.' }], messages: [] })).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Say hi.' }] }],
    })
  })
})

describe('settings', () => {
  test('all that there is a place for', () => {
    const body = write({
      temperature: 0.2,
      topP: 0.9,
      topK: 10,
      maxOutput: 100,
      stop: ['a'],
      seed: 7,
      parallelTools: false,
      verbosity: 'low',
      user: 'u',
      serviceTier: 'flex',
      format: {
        type: 'schema',
        name: 'n',
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          additionalProperties: false,
        },
      },
    })
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: {
        temperature: 0.2,
        topP: 0.9,
        topK: 10,
        maxOutputTokens: 100,
        stopSequences: ['a'],
        seed: 7,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', additionalProperties: false },
      },
      serviceTier: 'flex',
    })
  })

  test('penalties are for the one generation that takes them', () => {
    const penalties = { frequencyPenalty: 0.1, presencePenalty: 0 }
    expect(write(penalties, 'gemini-2.0-flash').generationConfig).toEqual(penalties)
    for (const model of ['gemini-1.5-pro', 'gemini-2.5-flash', 'gemini-3.8-flash', 'gemini-flash-latest'])
      expect(write(penalties, model).generationConfig).toBeUndefined()
  })

  test('a seed that is no int32 is dropped; JSON without schema is a type alone', () => {
    for (const seed of [2 ** 31, -(2 ** 31) - 1, 0.5])
      expect(write({ seed }).generationConfig).toBeUndefined()
    expect(write({ seed: -(2 ** 31) }).generationConfig).toEqual({ seed: -(2 ** 31) })
    expect(write({ format: { type: 'json' } }).generationConfig).toEqual({
      responseMimeType: 'application/json',
    })
  })
})

describe('tools', () => {
  const tool = (name: string): Tool => ({
    type: 'function',
    name,
    description: 'd',
    strict: true,
    schema: {
      $schema: 'x',
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      additionalProperties: false,
    },
  })

  const search: Tool = { type: 'web-search', settings: { max_uses: 3 }, by: 'anthropic' }

  test('a search beside functions has to be said, and is not for those before 3', () => {
    const tools = [tool('f'), search]
    expect(write({ tools }, 'gemini-3.8-flash').toolConfig).toEqual({
      includeServerSideToolInvocations: true,
    })
    expect(write({ tools, toolChoice: { type: 'auto' } }, 'gemini-4-argon').toolConfig).toEqual({
      functionCallingConfig: { mode: 'VALIDATED' },
      includeServerSideToolInvocations: true,
    })
    expect(feature(() => write({ tools }))).toEqual(['feature.named', undefined])
    expect(write({ tools: [search] }).toolConfig).toBeUndefined()
  })

  test('whole schemas, or the subset before 2.5', () => {
    const asked = { tools: [tool('f'), search], toolChoice: { type: 'required' } } as const
    expect(write(asked, 'gemini-3.8-flash')).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'd',
              parametersJsonSchema: {
                type: 'object',
                properties: { a: { type: ['string', 'null'] } },
                additionalProperties: false,
              },
            },
          ],
        },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    })
    expect(write({ tools: [tool('f')] }, 'gemini-2.0-flash').tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            description: 'd',
            parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
          },
        ],
      },
    ])
  })

  test.each([
    [{ type: 'auto' }, { mode: 'AUTO' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [
      { type: 'named', names: ['f'], mode: 'required' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
    [
      { type: 'named', names: ['f'], mode: 'auto' },
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
    ],
  ] as const)('choice %j', (toolChoice, expected) => {
    expect(write({ tools: [tool('f')], toolChoice }).toolConfig.functionCallingConfig).toEqual(expected)
    expect(write({ toolChoice }).toolConfig).toBeUndefined()
  })

  test.each(['', '1st', '-x', 'a b', 'ü', 'x'.repeat(129)])('name %p is refused', name => {
    expect(feature(() => write({ tools: [tool(name)] }))).toEqual([
      'field.tool-name-of-google',
      'tools[0].name',
    ])
  })

  test('names that only Gemini takes', () => {
    for (const name of ['_a.b:c-d', 'x'.repeat(128)])
      expect(write({ tools: [tool(name)] }).tools[0].functionDeclarations[0].name).toBe(name)
  })
})

test('a request of this dialect comes back as it went', () => {
  const body = {
    systemInstruction: { parts: [{ text: 's' }] },
    contents: [
      { role: 'user', parts: [{ text: 'q' }, { inlineData: { mimeType: 'image/png', data: 'QQ==' } }] },
      {
        role: 'model',
        parts: [
          { text: 't', thought: true, thoughtSignature: 'dA==' },
          { functionCall: { id: 'i', name: 'f', args: { a: 1 } }, thoughtSignature: 'cw==' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'i', name: 'f', response: { output: 'ok' } } }] },
    ],
    tools: [
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] },
      { googleSearch: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: {
      temperature: 1,
      maxOutputTokens: 9,
      thinkingConfig: { thinkingBudget: 512, includeThoughts: true },
    },
  }
  const read = gemini.readRequest(body, { model: 'gemini-2.5-flash', stream: true })
  expect<unknown>(gemini.writeRequest(read, { model: 'gemini-2.5-flash', stream: true })).toEqual(body)
})
