import { describe, expect, spyOn, test } from 'bun:test'
import type { StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { openaiChat } from './index.ts'

interface Heard {
  readonly parts: StreamPart[]
  readonly whole: boolean
}

function readCut(bytes: Uint8Array, cuts: readonly number[]): Heard {
  const parts: StreamPart[] = []
  const reader = openaiChat.createReader()
  const sse = new SseReader((event, data) => reader.read(event, data, part => parts.push(part)))
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    sse.push(bytes.subarray(from, cut))
    from = cut
  }
  sse.end()
  return { parts, whole: reader.end(part => parts.push(part)) }
}

function read(text: string): Heard {
  return readCut(new TextEncoder().encode(text), [])
}

/** Frames of one choice, in the form that the vendor sends. */
function frames(...choices: string[]): string {
  return choices.map(choice => `data: {"id":"c1","created":5,"model":"m","choices":[${choice}]}\n\n`).join('')
}
const delta = (json: string) => `{"index":0,"delta":${json},"finish_reason":null}`
const finish = (word: string) => `{"index":0,"delta":{},"finish_reason":"${word}"}`

const START: StreamPart = { type: 'start', id: 'c1', model: 'm', created: 5 }
const usageOf = (input: number, output: number): StreamPart => ({ type: 'usage', usage: { input, output } })
const finishOf = (reason: 'stop' | 'tools' | 'length' | 'filtered'): StreamPart => ({
  type: 'finish',
  finish: { reason },
})

const OPENAI = [
  'data: {"id":"c1","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null,"obfuscation":"aB3"}',
  'data: {"id":"c1","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":{"content":"Hé🙂"},"finish_reason":null}],"usage":null,"obfuscation":"x"}',
  ': comment',
  'data: {"id":"c1","object":"chat.completion.chunk","created":5,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}',
  'data: {"id":"c1","object":"chat.completion.chunk","created":5,"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}',
  'data: [DONE]',
  '',
].join('\n\n')

const TOOLS = `${frames(
  delta('{"role":"assistant","content":null,"reasoning_content":"hm"}'),
  delta(
    '{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"G"}}}]}',
  ),
  delta('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"q\\""}}]}'),
  delta('{"tool_calls":[{"index":0,"function":{"arguments":":\\"ü\\"}"}}]}'),
  delta('{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]}'),
  delta('{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}'),
  finish('tool_calls'),
)}data: [DONE]\n\n`

const TOOL_PARTS: StreamPart[] = [
  START,
  { type: 'thinking-delta', text: 'hm' },
  { type: 'tool-start', index: 0, id: 'a', name: 'f', signature: { by: 'gemini', value: 'G' } },
  { type: 'tool-input-delta', index: 0, json: '{"q"' },
  { type: 'tool-input-delta', index: 0, json: ':"ü"}' },
  { type: 'tool-end', index: 0 },
  { type: 'tool-start', index: 1, id: 'b', name: 'g' },
  { type: 'tool-input-delta', index: 1, json: '{}' },
  { type: 'tool-end', index: 1 },
  finishOf('tools'),
]

describe('cut at every byte', () => {
  const table: [string, string, StreamPart[]][] = [
    ['text', OPENAI, [START, { type: 'text-delta', text: 'Hé🙂' }, finishOf('stop'), usageOf(9, 3)]],
    [
      'text with CR LF',
      OPENAI.replaceAll('\n', '\r\n'),
      [START, { type: 'text-delta', text: 'Hé🙂' }, finishOf('stop'), usageOf(9, 3)],
    ],
    ['tools', TOOLS, TOOL_PARTS],
  ]
  test.each(table)('%s', (_name, text, expected) => {
    const bytes = new TextEncoder().encode(text)
    const whole = readCut(bytes, [])
    expect(whole).toEqual({ parts: expected, whole: true })
    for (let at = 1; at < bytes.length; at++) {
      const cut = readCut(bytes, [at])
      if (JSON.stringify(cut) !== JSON.stringify(whole)) throw new Error(`differs when cut at ${at}`)
    }
    const each = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)
    expect(readCut(bytes, each)).toEqual(whole)
  })
})

describe('what vendors do differently', () => {
  const text = delta('{"content":"Hi"}')
  const hi: StreamPart = { type: 'text-delta', text: 'Hi' }
  const table: [string, string, StreamPart[]][] = [
    [
      'an empty first chunk',
      `data: {"choices":[],"created":0,"id":"","model":"","prompt_filter_results":[{"prompt_index":0}]}\n\n${frames(text, finish('stop'))}`,
      [START, hi, finishOf('stop')],
    ],
    [
      'usage on the finish chunk, no end mark',
      `${frames(text)}data: {"id":"c1","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":18,"completion_tokens":219,"completion_tokens_details":{"reasoning_tokens":205},"prompt_cache_hit_tokens":0,"prompt_cache_miss_tokens":18}}\n\n`,
      [
        START,
        hi,
        finishOf('stop'),
        { type: 'usage', usage: { input: 18, output: 219, cacheRead: 0, reasoning: 205 } },
      ],
    ],
    [
      'usage inside the choice',
      frames(
        text,
        '{"index":0,"delta":{},"finish_reason":"length","usage":{"prompt_tokens":1,"completion_tokens":2}}',
      ),
      [START, hi, finishOf('length'), usageOf(1, 2)],
    ],
    [
      'content in parts',
      frames(
        delta(
          '{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},null,{"type":"text","text":"Hi"}]}',
        ),
        finish('stop'),
      ),
      [START, { type: 'thinking-delta', text: 'hm' }, hi, finishOf('stop')],
    ],
    [
      'details that repeat the thoughts',
      frames(
        delta('{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}'),
        delta(
          '{"reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"S"},{"type":"reasoning.encrypted","data":"D"},5]}',
        ),
        finish('stop'),
      ),
      [
        START,
        { type: 'thinking-delta', text: 'hm' },
        { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S' } },
        { type: 'thinking-redacted', data: 'D', by: 'anthropic' },
        finishOf('stop'),
      ],
    ],
    [
      'details that are the thoughts',
      frames(delta('{"reasoning_details":[{"type":"reasoning.text","text":"hm"}]}'), finish('stop')),
      [START, { type: 'thinking-delta', text: 'hm' }, finishOf('stop')],
    ],
    [
      'a refusal',
      frames(delta('{"refusal":"no"}'), finish('stop')),
      [START, { type: 'refusal-delta', text: 'no' }, finishOf('filtered')],
    ],
    [
      'other choices, and words after the finish',
      frames('{"index":1,"delta":{"content":"x"}}', text, finish('stop'), text),
      [START, hi, finishOf('stop')],
    ],
    ['an end mark without a finish', `${frames(text)}data: [DONE]\n\n`, [START, hi, finishOf('stop')]],
    [
      'citations, images and signed text',
      frames(
        delta('{"content":"","extra_content":{"google":{"thought_signature":"T"}}}'),
        delta(
          '{"annotations":[{"type":"url_citation","url_citation":{"url":"u","title":"t","start_index":1,"end_index":2}}]}',
        ),
        delta('{"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}'),
        finish('stop'),
      ),
      [
        START,
        { type: 'text-delta', text: '', signature: 'T' },
        { type: 'citation', citation: { type: 'citation', url: 'u', title: 't', start: 1, end: 2 } },
        { type: 'media', media: { type: 'media', data: 'QUJD', mediaType: 'image/png' } },
        finishOf('stop'),
      ],
    ],
  ]
  test.each(table)('%s', (_name, stream, expected) => {
    expect(read(stream)).toEqual({ parts: expected, whole: true })
  })
})

describe('calls', () => {
  const call = (index: number, id: string, name: string): StreamPart => ({
    type: 'tool-start',
    index,
    id,
    name,
  })
  const input = (index: number, json: string): StreamPart => ({ type: 'tool-input-delta', index, json })
  const end = (index: number): StreamPart => ({ type: 'tool-end', index })
  const calls = (...entries: string[]) =>
    frames(...entries.map(entry => delta(`{"tool_calls":[${entry}]}`)), finish('stop'))
  const table: [string, string, StreamPart[]][] = [
    [
      'without an index',
      calls(
        '{"id":"a","function":{"name":"f","arguments":"{"}}',
        '{"id":"a","function":{"arguments":"}"}}',
        '{"id":"b","function":{"name":"g","arguments":"{"}}',
        '{"function":{"arguments":"}"}}',
      ),
      [
        call(0, 'a', 'f'),
        input(0, '{'),
        input(0, '}'),
        end(0),
        call(1, 'b', 'g'),
        input(1, '{'),
        input(1, '}'),
        end(1),
      ],
    ],
    [
      'all numbered 0',
      calls(
        '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}',
        '{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}',
      ),
      [call(0, 'a', 'f'), input(0, '{}'), end(0), call(1, 'b', 'f'), input(1, '{}'), end(1)],
    ],
    [
      'interleaved',
      calls(
        '{"index":0,"id":"a","function":{"name":"f","arguments":""}},{"index":1,"id":"b","function":{"name":"g","arguments":""}}',
        '{"index":1,"function":{"arguments":"{\\"b\\":1}"}}',
        '{"index":0,"function":{"arguments":"{}"}}',
      ),
      [call(0, 'a', 'f'), call(1, 'b', 'g'), input(1, '{"b":1}'), input(0, '{}'), end(0), end(1)],
    ],
    [
      'the name later, the id repeated, arguments as an object',
      calls(
        '{"index":3,"id":"a","function":{"arguments":"{"}}',
        '{"index":3,"id":"a","function":{"name":"f","arguments":"}"}}',
        '{"index":4,"id":"b","function":{"name":"g","arguments":{"q":1}}}',
      ),
      [call(0, 'a', 'f'), input(0, '{}'), end(0), call(1, 'b', 'g'), input(1, '{"q":1}'), end(1)],
    ],
  ]
  test.each(table)('%s', (_name, stream, expected) => {
    expect(read(stream)).toEqual({ parts: [START, ...expected, finishOf('tools')], whole: true })
  })

  test('in the old form, with an id made up', () => {
    const heard = read(
      frames(
        delta('{"function_call":{"name":"f","arguments":""}}'),
        delta('{"function_call":{"arguments":"{}"}}'),
        finish('function_call'),
      ),
    )
    expect(heard.parts).toMatchObject([
      START,
      { type: 'tool-start', index: 0, id: expect.stringMatching(/^call_/), name: 'f' },
      input(0, '{}'),
      end(0),
      finishOf('tools'),
    ])
  })

  test('the input of thousands is looked at once each, not again with every call', () => {
    const many = 2000
    const calls = Array.from({ length: many }, (_, at) => ({
      ...{ index: at, id: `call_${at}` },
      function: { name: 'f', arguments: at % 2 ? '{}' : '{' },
    }))
    const parse = spyOn(JSON, 'parse')
    const heard = read(frames(delta(JSON.stringify({ tool_calls: calls })), finish('tool_calls')))
    const times = parse.mock.calls.length
    parse.mockRestore()
    expect(heard.parts.filter(part => part.type === 'tool-end')).toHaveLength(many)
    expect(times).toBeLessThan(2 * many)
  })
})

describe('streams that fail', () => {
  const text = frames(delta('{"content":"Hi"}'))
  const open = frames(delta('{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}'))

  test('an error chunk ends all', () => {
    const heard = read(
      `${text}data: {"error":{"message":"m","type":"rate_limit_error","code":null}}\n\n${text}data: [DONE]\n\n`,
    )
    expect(heard.parts.slice(2)).toEqual([
      { type: 'problem', problem: { status: 429, message: 'm', type: 'rate_limit_error', code: null } },
    ])
    expect(heard.whole).toBe(false)
  })

  test('other errors, and their status', () => {
    const table: [string, number][] = [
      ['data: {"error":"m"}', 502],
      ['data: {"error":{"message":"m","code":503}}', 503],
      ['data: {"error":{"message":"m","type":"invalid_request_error"}}', 400],
      ['event: error\ndata: {"message":"m","status_code":"401"}', 401],
      ['data: {"object":"error","message":"m"}', 502],
    ]
    for (const [frame, status] of table)
      expect(read(`${frame}\n\n`)).toMatchObject({
        parts: [{ type: 'problem', problem: { status, message: 'm' } }],
        whole: false,
      })
  })

  test('a finish that means failure', () => {
    const heard = read(frames(delta('{"content":"Hi"}'), finish('insufficient_system_resource')))
    expect(heard.parts.at(-1)).toMatchObject({ type: 'problem', problem: { status: 502 } })
    expect(heard.whole).toBe(false)
  })

  test('a stream that was cut, with a call left open', () => {
    expect(read(text).whole).toBe(false)
    expect(read('')).toEqual({ parts: [], whole: false })
    expect(read('data: [DONE]\n\n')).toEqual({ parts: [], whole: false })
    const heard = read(open)
    expect(heard.parts.at(-1)).toEqual({ type: 'tool-end', index: 0 })
    expect(heard.whole).toBe(false)
  })

  test('nonsense is passed over', () => {
    const nonsense = [
      '',
      '{',
      '5',
      'null',
      '[]',
      '{}',
      '{"choices":null}',
      '{"choices":[null]}',
      '{"error":null}',
      '{"choices":[{"delta":5}]}',
      '{"choices":[{"delta":{"content":5,"tool_calls":[null,{}],"images":5}}]}',
    ]
    const heard = read(nonsense.map(data => `data: ${data}\n\n`).join(''))
    expect(heard.parts.map(part => part.type)).toEqual(['start'])
    expect(heard.whole).toBe(false)
  })
})
