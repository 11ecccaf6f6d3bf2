import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Asked } from '../dialect.ts'
import { asArray, asObject, type Json, type JsonObject } from '../json.ts'
import type { AnswerPart, Finish, NeutralAnswer, TokenUsage } from '../spec.ts'
import { openaiResponses } from './index.ts'

const WHOLE: JsonObject = JSON.parse(
  readFileSync(new URL('./fixtures/reasoning-search-text-call.json', import.meta.url), 'utf8'),
)

const PARTS: AnswerPart[] = [
  {
    type: 'thinking',
    text: '**Looking** up\n\nThen é answer',
    signature: { by: 'openai-responses', value: 'gAAAAlast' },
  },
  { type: 'text', text: 'Hi 😀 there' },
  { type: 'citation', url: 'https://example.com/oslo', title: 'Oslo', start: 0, end: 2 },
  { type: 'tool-call', id: 'call_9', name: 'get_weather', input: '{"city":"Oslo"}' },
]
const ANSWER: NeutralAnswer = {
  id: 'resp_68c1',
  model: 'gpt-5-2025-08-07',
  created: 1757500000,
  parts: PARTS,
  finish: { reason: 'tools' },
  usage: { input: 81, output: 120, cacheRead: 40, cacheWrite: 8, reasoning: 64 },
}

function ask(body: JsonObject = {}): Asked {
  const request = openaiResponses.readRequest({ model: 'gpt-x', input: 'Hi', ...body }, {})
  return { model: 'gpt-x', request, estimatedInput: 3 }
}

describe('reading', () => {
  test('a whole answer', () => {
    const { usage = { input: 0, output: 0 } } = ANSWER
    expect(openaiResponses.readAnswer(WHOLE)).toEqual({ ...ANSWER, usage: { ...usage, searches: 1 } })
  })

  test('searches as the vendor asks for them, and what its cache keeps longer than usual', () => {
    const read = (tool_usage: JsonObject, details: JsonObject = {}) => {
      const usage = { input_tokens: 80, input_tokens_details: details, output_tokens: 9 }
      return openaiResponses.readUsage({ ...WHOLE, tool_usage, usage })
    }
    expect(read({ web_search: { num_requests: 4 } })?.searches).toBe(4)
    expect(read({ web_search: { num_requests: 0 } })?.searches).toBe(1)
    const kept = { cache_write_tokens_details: { ttl_12h_tokens: 20, ttl_30m_tokens: 10 } }
    const told = read({}, { cached_tokens: 8, cache_write_tokens: 30, ...kept })
    expect(told).toMatchObject({ input: 80, cacheRead: 8, cacheWrite: 30, cacheWriteHour: 20 })
  })

  test('code that was run is counted by where that was, also where the answer does not say that it was offered', () => {
    const usage = { input_tokens: 80, output_tokens: 9 }
    const ran = (container_id: string) => ({ type: 'code_interpreter_call', id: 'ci_1', container_id })
    const read = (output: JsonObject[], tools?: JsonObject[]) =>
      openaiResponses.readUsage({ usage, output, ...(tools && { tools }) })?.tools
    const large = { type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }
    expect(read([ran('cntr_1'), ran('cntr_1')])).toEqual({ code_interpreter: 1 })
    expect(read([ran('cntr_1'), ran('cntr_2')], [{ type: 'function' }])).toEqual({ code_interpreter: 2 })
    expect(read([ran('cntr_1')], [large])).toEqual({ code_interpreter: 4 })
    expect(read([], [large])).toEqual({ code_interpreter: 4 })
    expect(read([])).toBeUndefined()
  })

  const finishes: [JsonObject, Finish['reason']][] = [
    [{ output: [] }, 'stop'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filtered'],
    [{ status: 'incomplete', incomplete_details: null }, 'length'],
    [{ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No' }] }] }, 'filtered'],
  ]
  test.each(finishes)('%j', (fields, reason) => {
    expect(openaiResponses.readAnswer({ ...WHOLE, ...fields })?.finish).toEqual({ reason })
  })

  const none: JsonObject[] = [
    {},
    { error: { message: 'x' } },
    { output: {} },
    { ...WHOLE, status: 'failed', error: { code: 'server_error', message: 'x' } },
    { ...WHOLE, status: 'failed' },
    { ...WHOLE, status: 'in_progress' },
    { ...WHOLE, status: 'cancelled' },
    { ...WHOLE, error: { code: 'server_error', message: 'x' } },
    { object: 'chat.completion', choices: [] },
  ]
  test.each(none)('no answer: %j', body => {
    expect(openaiResponses.readAnswer(body)).toBeUndefined()
  })

  test('what cannot be read is passed over', () => {
    const output: Json[] = [
      null,
      5,
      'x',
      [],
      { type: '__proto__' },
      { type: 'message' },
      { type: 'message', content: [null, {}, { type: 'output_text', text: 5, annotations: [null, {}] }] },
      { type: 'reasoning', summary: 'x', content: null, encrypted_content: 5 },
      { type: 'image_generation_call', result: null },
      { type: 'function_call' },
    ]
    expect(openaiResponses.readAnswer({ output })).toEqual({
      id: '',
      model: '',
      created: 0,
      parts: [{ type: 'tool-call', id: '', name: '', input: '' }],
      finish: { reason: 'tools' },
      usage: undefined,
    })
  })
})

test('nothing said is an answer when it says that it is complete', () => {
  expect(openaiResponses.readAnswer({ output: [] })).toBeUndefined()
  expect(openaiResponses.readAnswer({ output: [], status: 'completed' })?.parts).toEqual([])
})

describe('usage', () => {
  const details = (cached: Json, written: Json, reasoned: Json): JsonObject => ({
    input_tokens: 10,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: reasoned },
  })
  const cases: [Json, TokenUsage | undefined][] = [
    [
      { input_tokens: 1, output_tokens: 2 },
      { input: 1, output: 2 },
    ],
    [
      { input_tokens: 0, output_tokens: 0 },
      { input: 0, output: 0 },
    ],
    [details(4, 3, 2), { input: 10, output: 5, cacheRead: 4, cacheWrite: 3, reasoning: 2 }],
    [details(40, 3, 20), { input: 10, output: 5, cacheRead: 10, cacheWrite: 0, reasoning: 5 }],
    [details('4', -1, 0.5), { input: 10, output: 5 }],
    [
      { ...details(1, 1, 1), input_tokens_details: null, output_tokens_details: [] },
      { input: 10, output: 5 },
    ],
    [{ input_tokens: 1 }, undefined],
    [{ input_tokens: '1', output_tokens: 2 }, undefined],
    [{ input_tokens: -1, output_tokens: 2 }, undefined],
    [{ input_tokens: 1.5, output_tokens: 2 }, undefined],
    [{ input_tokens: 1, output_tokens: 2 ** 53 }, undefined],
    [{ input_tokens: JSON.parse('1e400'), output_tokens: 2 }, undefined],
    [null, undefined],
    [[], undefined],
  ]
  test.each(cases)('%j', (usage, expected) => {
    expect(openaiResponses.readUsage({ usage })).toEqual(expected)
  })
})

describe('writing', () => {
  test('all fields that clients look for, with what was asked', () => {
    const asked = ask({
      instructions: 'Be brief',
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 1,
      user: 'u',
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: 'detailed' },
      text: { format: { type: 'json_object' } },
      tool_choice: { type: 'function', name: 'f' },
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }],
    })
    const usage = { input: 9, output: 8, cacheRead: 3, cacheWrite: 2, reasoning: 1 }
    const body = openaiResponses.writeAnswer(
      {
        id: 'chatcmpl-1',
        model: 'up',
        created: 7,
        parts: [{ type: 'text', text: 'Hi' }],
        finish: { reason: 'stop' },
        usage,
      },
      asked,
    )
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      id: 'resp_chatcmpl-1',
      object: 'response',
      created_at: 7,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: 'Be brief',
      max_output_tokens: 50,
      metadata: {},
      model: 'gpt-x',
      output: [
        {
          id: 'msg_chatcmpl-1_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: false,
      previous_response_id: null,
      reasoning: { effort: 'low', summary: 'auto' },
      store: false,
      temperature: 0.5,
      text: { format: { type: 'json_object' }, verbosity: 'medium' },
      tool_choice: { type: 'function', name: 'f' },
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }],
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        output_tokens: 8,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 17,
      },
      user: 'u',
    })
  })

  test('what was read is written and read again the same', () => {
    const body = openaiResponses.writeAnswer(ANSWER, ask())
    expect(openaiResponses.readAnswer(JSON.parse(JSON.stringify(body)))).toEqual({
      ...ANSWER,
      model: 'gpt-x',
    })
  })

  test('signatures of other vendors survive the way through the client', () => {
    const parts: AnswerPart[] = [
      { type: 'thinking', text: 'Hm', signature: { by: 'anthropic', value: 'S' } },
      { type: 'thinking', text: '', redacted: 'R' },
      { type: 'tool-call', id: 'c1', name: 'f', input: '{}', signature: { by: 'gemini', value: 'G' } },
      { type: 'tool-call', id: 'c2', name: 'f', input: '{}' },
    ]
    const body = openaiResponses.writeAnswer({ ...ANSWER, parts }, ask())
    const output = JSON.parse(JSON.stringify(body.output))
    expect(openaiResponses.readAnswer({ output })?.parts).toEqual(parts)
    const next = ask({ input: [{ role: 'user', content: 'Hi' }, ...output] }).request
    expect(next.messages[1]).toEqual({ role: 'assistant', parts } as (typeof next.messages)[1])
  })

  const finishes: [Finish['reason'], AnswerPart[], JsonObject][] = [
    [
      'length',
      [],
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, error: null },
    ],
    ['filtered', [], { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, error: null }],
    [
      'filtered',
      [{ type: 'text', text: 'No', refusal: true }],
      { status: 'completed', incomplete_details: null, error: null },
    ],
    ['paused', [], { status: 'completed', incomplete_details: null, error: null }],
    [
      'broken-call',
      [],
      {
        status: 'failed',
        incomplete_details: null,
        error: { code: 'server_error', message: 'The model called a tool in a way that could not be read' },
      },
    ],
  ]
  test.each(finishes)('%s', (reason, parts, expected) => {
    expect(openaiResponses.writeAnswer({ ...ANSWER, parts, finish: { reason } }, ask())).toMatchObject(
      expected,
    )
  })

  test('a call that was cut off is incomplete; a whole one before the cut is not', () => {
    const write = (input: string, finish: Finish) => {
      const part = { type: 'tool-call', id: 'c', name: 'f', input } as const
      const [item] = asArray(openaiResponses.writeAnswer({ ...ANSWER, parts: [part], finish }, ask()).output)
      const { status, arguments: given } = asObject(item) ?? {}
      return [status, given]
    }
    const cut: Finish = { reason: 'length' }
    expect(write('{"a":', cut)).toEqual(['incomplete', '{"a":'])
    expect(write('', cut)).toEqual(['incomplete', ''])
    expect(write('{"a":1}', cut)).toEqual(['completed', '{"a":1}'])
    expect(write('', { reason: 'tools' })).toEqual(['completed', '{}'])
  })

  test('citations without a text, and sounds, have no place', () => {
    const parts: AnswerPart[] = [
      { type: 'citation', url: 'https://a' },
      { type: 'media', data: 'UklG', mediaType: 'audio/wav' },
    ]
    expect(openaiResponses.writeAnswer({ ...ANSWER, parts }, ask()).output).toEqual([])
  })
})

describe('problems', () => {
  const slow = { message: 'Slow', type: 'tokens', param: null, code: 'rate_limit_exceeded' }
  const cases: [string, number, unknown, object][] = [
    ['an error body', 429, { error: slow }, { status: 429, ...slow }],
    [
      'a failed response',
      200,
      { ...WHOLE, status: 'failed', error: { code: 'invalid_image_format', message: 'Bad' } },
      { status: 400, message: 'Bad', code: 'invalid_image_format', param: null },
    ],
    [
      'a failed response that is the caller’s fault',
      200,
      { ...WHOLE, status: 'failed', error: { code: 'content_filter', message: 'No' } },
      { status: 400, code: 'content_filter' },
    ],
    [
      'a failed response without words',
      200,
      { status: 'failed' },
      { status: 500, message: 'The upstream reported an error' },
    ],
    ['an error that is a text', 400, { error: 'Nope' }, { status: 400, message: 'Nope' }],
    ['a number as code', 404, { error: { code: 404, message: 'x' } }, { status: 404, code: '404' }],
    ['a text', 502, 'Bad gateway', { status: 502, message: 'Bad gateway' }],
    ['a page', 502, '<html>nginx</html>', { status: 502, message: 'The upstream answered with status 502' }],
    ['nothing', 500, null, { status: 500, message: 'The upstream answered with status 500' }],
    ['a list', 500, [], { status: 500, message: 'The upstream answered with status 500' }],
    ['nonsense', 500, { error: { message: {}, code: [] } }, { status: 500, code: null }],
  ]
  test.each(cases)('%s', (_, status, body, expected) => {
    expect(openaiResponses.readProblem(status, body)).toMatchObject(expected)
  })

  test('what says that the model is missing has a code', () => {
    const problem = { status: 404, message: 'The model `x` does not exist' }
    expect(openaiResponses.writeProblem(problem)).toMatchObject({ error: { code: 'model_not_found' } })
  })

  test('a very long message is cut', () => {
    expect(openaiResponses.readProblem(500, 'x'.repeat(100_000)).message.length).toBe(4000)
  })

  const written: [number, string, string | null][] = [
    [400, 'invalid_request_error', null],
    [401, 'invalid_request_error', 'invalid_api_key'],
    [402, 'insufficient_quota', 'insufficient_quota'],
    [403, 'permission_error', null],
    [404, 'invalid_request_error', null],
    [429, 'rate_limit_error', 'rate_limit_exceeded'],
    [500, 'server_error', null],
    [503, 'server_error', null],
  ]
  test.each(written)('%d is written as %s', (status, type, code) => {
    expect(openaiResponses.writeProblem({ status, message: 'x' })).toEqual({
      error: { message: 'x', type, param: null, code },
    })
    const own = { status, message: 'x', type: 'own', code: 'c', param: 'p' }
    expect(openaiResponses.writeProblem(own)).toEqual({
      error: { message: 'x', type: 'own', param: 'p', code: 'c' },
    })
  })
})
