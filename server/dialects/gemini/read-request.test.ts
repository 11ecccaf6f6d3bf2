import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { JsonObject } from '../json.ts'
import { gemini } from './index.ts'

const path = { model: 'gemini-2.5-pro', stream: false }
const hi = [{ role: 'user', parts: [{ text: 'hi' }] }]

function read(body: JsonObject) {
  return gemini.readRequest(body, path)
}

function errorOf(act: () => unknown): AppError {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('names', () => {
  test('both spellings read the same, and the caller’s own names stay', () => {
    const schema = {
      type: 'OBJECT',
      properties: { first_name: { type: 'STRING' } },
      required: ['first_name'],
    }
    const snake = read({
      system_instruction: { parts: { text: 'be brief' } },
      contents: [
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'QUJD' } }] },
        {
          role: 'model',
          parts: [{ function_call: { name: 'f', args: { first_name: 'a' } }, thought_signature: 'c2ln' }],
        },
        { role: 'function', parts: [{ function_response: { name: 'f', response: { my_key: 1 } } }] },
      ],
      tools: [{ function_declarations: [{ name: 'f', parameters: schema }] }],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      generation_config: {
        max_output_tokens: 5,
        stop_sequences: ['x'],
        top_p: 0.5,
        response_mime_type: 'application/json',
      },
    })
    const camel = read({
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: { first_name: 'a' } }, thoughtSignature: 'c2ln' }],
        },
        { role: 'function', parts: [{ functionResponse: { name: 'f', response: { my_key: 1 } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        maxOutputTokens: 5,
        stopSequences: ['x'],
        topP: 0.5,
        responseMimeType: 'application/json',
      },
    })
    expect(snake).toEqual(camel)
    expect(camel).toEqual({
      model: 'gemini-2.5-pro',
      stream: false,
      system: [{ type: 'text', text: 'be brief' }],
      messages: [
        { role: 'user', parts: [{ type: 'image', source: { data: 'QUJD', mediaType: 'image/png' } }] },
        {
          role: 'assistant',
          parts: [
            {
              type: 'tool-call',
              id: 'call_1',
              name: 'f',
              input: '{"first_name":"a"}',
              signature: { by: 'gemini', value: 'c2ln' },
            },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool-result',
              callId: 'call_1',
              name: 'f',
              content: [{ type: 'text', text: '{"my_key":1}' }],
            },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'f',
          schema: {
            type: 'object',
            properties: { first_name: { type: 'string' } },
            required: ['first_name'],
          },
        },
      ],
      toolChoice: { type: 'named', names: ['f'], mode: 'required' },
      maxOutput: 5,
      stop: ['x'],
      topP: 0.5,
      format: { type: 'json' },
    })
  })

  test('a __proto__ key changes nothing', () => {
    const body = JSON.parse(
      '{"__proto__":{"contents":[]},"contents":{"parts":{"text":"hi","__proto__":{"thought":true}}}}',
    )
    expect(read(body).messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }])
  })
})

describe('settings', () => {
  test.each<[JsonObject, JsonObject]>([
    [
      { thinkingConfig: { thinkingLevel: 'low', includeThoughts: true } },
      { reasoning: { effort: 'low', visible: true } },
    ],
    [{ thinkingConfig: { thinkingBudget: -1 } }, { reasoning: { budget: -1, visible: false } }],
    [
      { responseMimeType: 'application/json', responseSchema: { type: 'ARRAY', items: { type: 'STRING' } } },
      { format: { type: 'schema', name: 'response', schema: { type: 'array', items: { type: 'string' } } } },
    ],
    [
      { responseMimeType: 'application/json', responseJsonSchema: { type: 'object', $defs: { a_b: {} } } },
      { format: { type: 'schema', name: 'response', schema: { type: 'object', $defs: { a_b: {} } } } },
    ],
    [
      { temperature: 0, topK: 40, seed: -3, frequencyPenalty: 1, presencePenalty: -1 },
      { temperature: 0, topK: 40, seed: -3, frequencyPenalty: 1, presencePenalty: -1 },
    ],
    [
      {
        responseMimeType: 'text/plain',
        responseModalities: ['TEXT'],
        candidateCount: 1,
        maxOutputTokens: null,
      },
      {},
    ],
  ])('%j', (generationConfig, expected) => {
    const {
      model: _,
      stream: __,
      system: ___,
      messages: ____,
      tools: _____,
      ...rest
    } = read({ contents: hi, generationConfig })
    expect(JSON.parse(JSON.stringify(rest))).toEqual(expected)
  })

  test.each<[JsonObject, unknown]>([
    [{ mode: 'AUTO' }, { type: 'auto' }],
    [{}, { type: 'auto' }],
    [{ mode: 'NONE' }, { type: 'none' }],
    [{ mode: 'any' }, { type: 'required' }],
    [
      { mode: 'VALIDATED', allowedFunctionNames: ['a'] },
      { type: 'named', names: ['a'], mode: 'auto' },
    ],
  ])('tool choice %j', (functionCallingConfig, expected) => {
    expect<unknown>(read({ contents: hi, toolConfig: { functionCallingConfig } }).toolChoice).toEqual(
      expected,
    )
  })

  test('search of the web', () => {
    expect(read({ contents: hi, tools: [{ google_search: {} }] }).tools).toEqual([
      { type: 'web-search', settings: {}, by: 'gemini' },
    ])
  })
})

describe('refusals', () => {
  test.each<[string, string]>([
    ['{}', 'contents'],
    ['{"contents":null}', 'contents'],
    ['{"contents":[]}', 'contents'],
    ['{"contents":"hi"}', 'contents'],
    ['{"contents":[null]}', 'contents[0]'],
    ['{"contents":[{"parts":[]}]}', 'contents'],
    ['{"contents":[{"parts":7}]}', 'contents[0].parts'],
    ['{"contents":[{"parts":["x"]}]}', 'contents[0].parts[0]'],
    ['{"contents":[{"parts":[{"text":5}]}]}', 'contents[0].parts[0].text'],
    ['{"contents":[{"role":"system","parts":[{"text":"x"}]}]}', 'contents[0].role'],
    ['{"contents":[{"role":{},"parts":[{"text":"x"}]}]}', 'contents[0].role'],
    ['{"contents":[{"parts":[{"functionCall":{}}]}]}', 'contents[0].parts[0].functionCall.name'],
    [
      '{"contents":[{"parts":[{"functionCall":{"name":"f","args":"x"}}]}]}',
      'contents[0].parts[0].functionCall.args',
    ],
    [
      '{"contents":[{"parts":[{"functionResponse":{"response":{}}}]}]}',
      'contents[0].parts[0].functionResponse.name',
    ],
    ['{"contents":[{"parts":[{"inlineData":{"data":"QQ=="}}]}]}', 'contents[0].parts[0].inlineData.mimeType'],
    ['{"contents":[{"parts":[{"fileData":{}}]}]}', 'contents[0].parts[0].fileData.fileUri'],
    ['{"contents":{"parts":{"text":"x"}},"systemInstruction":4}', 'systemInstruction'],
    ['{"contents":{"parts":{"text":"x"}},"tools":"x"}', 'tools'],
    [
      '{"contents":{"parts":{"text":"x"}},"tools":[{"functionDeclarations":[{}]}]}',
      'tools[0].functionDeclarations[0].name',
    ],
    [
      '{"contents":{"parts":{"text":"x"}},"toolConfig":{"functionCallingConfig":{"mode":"MAYBE"}}}',
      'toolConfig.functionCallingConfig.mode',
    ],
    ...['-1', '0', '0.5', '9007199254740992', '1e400', '"5"', 'true', '[]'].map((value): [string, string] => [
      `{"contents":{"parts":{"text":"x"}},"generationConfig":{"maxOutputTokens":${value}}}`,
      'generationConfig.maxOutputTokens',
    ]),
    ['{"contents":{"parts":{"text":"x"}},"generationConfig":[]}', 'generationConfig'],
    [
      '{"contents":{"parts":{"text":"x"}},"generationConfig":{"temperature":"1"}}',
      'generationConfig.temperature',
    ],
    [
      '{"contents":{"parts":{"text":"x"}},"generationConfig":{"stopSequences":[1]}}',
      'generationConfig.stopSequences[0]',
    ],
    [
      '{"contents":{"parts":{"text":"x"}},"generationConfig":{"thinkingConfig":{"thinkingLevel":"HUGE"}}}',
      'generationConfig.thinkingConfig.thinkingLevel',
    ],
    [
      '{"contents":{"parts":{"text":"x"}},"generationConfig":{"thinkingConfig":{"thinkingBudget":-2}}}',
      'generationConfig.thinkingConfig.thinkingBudget',
    ],
  ])('%s', (text, field) => {
    const error = errorOf(() => read(JSON.parse(text)))
    expect(error.code).toStartWith('field.')
    expect(error.params.field).toBe(field)
  })

  test.each<[JsonObject, string]>([
    [{ cachedContent: 'cachedContents/1' }, 'cachedContent'],
    [{ model_armor_config: { promptTemplateName: 't' } }, 'modelArmorConfig'],
    [{ outputConfig: { outputUriPrefix: 'gs://b/' } }, 'outputConfig'],
    [{ generationConfig: { audioTranscriptionConfig: {} } }, 'audioTranscriptionConfig'],
    [{ tools: [{ codeExecution: {} }] }, 'codeExecution'],
    [{ tools: { url_context: {} } }, 'urlContext'],
    [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, 'image output'],
    [{ generationConfig: { response_modalities: ['audio'] } }, 'audio output'],
    [{ generationConfig: { responseMimeType: 'text/x.enum' } }, 'responseMimeType text/x.enum'],
  ])('unsupported %j', (body, feature) => {
    const error = errorOf(() => read({ contents: hi, ...body }))
    expect(error.message).toBe(`The upstream of this model does not support ${feature}`)
  })

  test('what has no bottom is refused, not followed', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(50_000)}{}${'}'.repeat(50_000)}`)
    const call = { functionCall: { name: 'f', args: deep } }
    const bodies: JsonObject[] = [
      { contents: [{ parts: [call] }] },
      { contents: [{ parts: [{ functionResponse: { name: 'f', response: deep } }] }] },
      { contents: hi, tools: [{ functionDeclarations: [{ name: 'f', parameters: deep }] }] },
      { contents: hi, tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: deep }] }] },
      { contents: hi, generationConfig: { responseJsonSchema: deep } },
    ]
    for (const body of bodies) expect(errorOf(() => read(body)).code).toBe('field.too-deep')
    const answer = gemini.readAnswer({ candidates: [{ content: { parts: [call] }, finishReason: 'STOP' }] })
    expect(answer?.parts).toEqual([])
  })

  test('no model in the address', () => {
    expect(errorOf(() => gemini.readRequest({ contents: hi }, {})).code).toBe('relay.model-required')
  })
})
