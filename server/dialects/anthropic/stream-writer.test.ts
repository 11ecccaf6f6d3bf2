import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import type { NeutralRequest, StreamPart, TokenUsage } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { refusalStream, textStream, thinkingStream, toolsStream } from './fixtures/streams.ts'
import { anthropic } from './index.ts'

const request: NeutralRequest = { model: 'm', stream: true, system: [], messages: [], tools: [] }
const asked: Asked = {
  model: 'my-claude',
  request: { ...request, reasoning: { visible: true } },
  estimatedInput: 7,
}
const start: StreamPart = { type: 'start', id: 'chatcmpl-1', model: 'x', created: 1 }

const head = `event: message_start
data: {"type":"message_start","message":{"id":"msg_chatcmpl-1","type":"message","role":"assistant","model":"my-claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":0}}}

event: ping
data: {"type": "ping"}

`

function writeAll(parts: readonly StreamPart[], who = asked): string {
  const writer = anthropic.createWriter(who)
  return parts.map(part => writer.write(part)).join('') + writer.end()
}

/** Each frame in short: blocks, their deltas, and the end. */
function outline(stream: string): string[] {
  const lines: string[] = []
  const events = new SseReader((event, data) => {
    const frame = JSON.parse(data)
    expect(frame.type).toBe(event)
    const { index, content_block: block, delta } = frame
    if (event === 'content_block_start') lines.push(`${index} ${block.type} ${block.id ?? block.data ?? ''}`)
    else if (event === 'content_block_stop') lines.push(`${index} stop`)
    else if (event === 'content_block_delta') {
      const { type, text, thinking, partial_json, signature, citation } = delta
      lines.push(`${index} ${type} ${text ?? thinking ?? partial_json ?? signature ?? citation.url}`)
    } else if (event === 'message_delta') lines.push(`end ${delta.stop_reason}`)
  })
  events.pushText(stream)
  return lines.map(line => line.trim())
}

test('text, byte for byte', () => {
  const usage: TokenUsage = {
    input: 100,
    output: 9,
    cacheRead: 30,
    cacheWrite: 20,
    cacheWriteHour: 5,
    reasoning: 4,
  }
  const parts: readonly StreamPart[] = [
    start,
    { type: 'text-delta', text: '' },
    { type: 'text-delta', text: 'Hi "you"\n' },
    { type: 'finish', finish: { reason: 'length' } },
    { type: 'usage', usage },
  ]
  expect(writeAll(parts)).toBe(`${head}event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi \\"you\\"\\n"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"input_tokens":50,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":15,"ephemeral_1h_input_tokens":5},"output_tokens":9,"output_tokens_details":{"thinking_tokens":4}}}

event: message_stop
data: {"type":"message_stop"}

`)
})

test('thinking and calls with signatures, byte for byte', () => {
  const parts: readonly StreamPart[] = [
    start,
    { type: 'thinking-delta', text: 'Hm' },
    { type: 'thinking-signature', signature: { by: 'openai-responses', value: 'gAA' } },
    { type: 'tool-start', index: 0, id: 'c1', name: 'f', signature: { by: 'gemini', value: 'Cpw' } },
    { type: 'tool-end', index: 0 },
  ]
  const body = writeAll(parts).slice(head.length)
  expect(body.slice(0, body.indexOf('event: message_delta'))).toBe(`event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"tg1.openai-responses.gAA"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1--tgsig--Q3B3","name":"f","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

`)
  expect(body).toContain('"stop_reason":"tool_use"')
})

const call = (index: number): StreamPart => ({ type: 'tool-start', index, id: `c${index}`, name: 'f' })
const input = (index: number, json: string): StreamPart => ({ type: 'tool-input-delta', index, json })
const end = (index: number): StreamPart => ({ type: 'tool-end', index })
const text = (words: string): StreamPart => ({ type: 'text-delta', text: words })
const think = (words: string): StreamPart => ({ type: 'thinking-delta', text: words })

describe('one block at a time', () => {
  const table: readonly [string, readonly StreamPart[], readonly string[]][] = [
    [
      'calls mixed into one another, with text between',
      [
        text('a'),
        call(0),
        input(0, 'p'),
        call(1),
        input(1, 'x'),
        call(2),
        text('b'),
        input(2, 'm'),
        input(0, 'q'),
        input(1, 'y'),
        end(0),
        input(1, 'z'),
        end(2),
        end(1),
        text('c'),
      ],
      [
        '0 text',
        '0 text_delta a',
        '0 stop',
        '1 tool_use c0',
        '1 input_json_delta p',
        '1 input_json_delta q',
        '1 stop',
        '2 tool_use c1',
        '2 input_json_delta x',
        '2 input_json_delta y',
        '2 input_json_delta z',
        '2 stop',
        '3 tool_use c2',
        '3 input_json_delta m',
        '3 stop',
        '4 text',
        '4 text_delta b',
        '4 text_delta c',
        '4 stop',
        'end tool_use',
      ],
    ],
    [
      'what waited for a call comes before what came after it',
      [call(0), call(1), text('b'), end(1), text('c'), end(0)],
      [
        '0 tool_use c0',
        '0 input_json_delta',
        '0 stop',
        '1 tool_use c1',
        '1 input_json_delta',
        '1 stop',
        '2 text',
        '2 text_delta b',
        '2 text_delta c',
        '2 stop',
        'end tool_use',
      ],
    ],
    [
      'calls that nobody ended',
      [call(0), call(1), input(1, 'x'), text('b'), input(0, 'p')],
      [
        '0 tool_use c0',
        '0 input_json_delta p',
        '0 stop',
        '1 tool_use c1',
        '1 input_json_delta x',
        '1 stop',
        '2 text',
        '2 text_delta b',
        '2 stop',
        'end tool_use',
      ],
    ],
    [
      'thinking always ends with a signature',
      [think('a'), text('b'), think('c')],
      [
        '0 thinking',
        '0 thinking_delta a',
        '0 signature_delta',
        '0 stop',
        '1 text',
        '1 text_delta b',
        '1 stop',
        '2 thinking',
        '2 thinking_delta c',
        '2 signature_delta',
        '2 stop',
        'end end_turn',
      ],
    ],
    [
      'sealed thinking comes whole, also another vendor’s',
      [
        { type: 'thinking-redacted', data: 'Emw', by: 'anthropic' },
        { type: 'thinking-redacted', data: 'gAA', by: 'openai-responses' },
      ],
      [
        '0 redacted_thinking Emw',
        '0 stop',
        '1 redacted_thinking tg1.openai-responses.gAA',
        '1 stop',
        'end end_turn',
      ],
    ],
    [
      'a signature without thoughts, media, refusal, sources',
      [
        { type: 'thinking-signature', signature: { by: 'anthropic', value: 'Eq' } },
        { type: 'citation', citation: { type: 'citation', url: 'https://lost.test' } },
        { type: 'refusal-delta', text: 'no' },
        { type: 'citation', citation: { type: 'citation', url: 'https://a.test' } },
        { type: 'media', media: { type: 'media', data: 'iVBO', mediaType: 'image/png' } },
      ],
      [
        '0 thinking',
        '0 signature_delta Eq',
        '0 stop',
        '1 text',
        '1 text_delta no',
        '1 citations_delta https://a.test',
        '1 text_delta ![image](data:image/png;base64,iVBO)',
        '1 stop',
        'end end_turn',
      ],
    ],
    ['nothing at all', [{ type: 'finish', finish: { reason: 'filtered' } }], ['end refusal']],
  ]
  test.each(table)('%s', (_name, parts, lines) => {
    expect(outline(writeAll([start, ...parts]))).toEqual([...lines])
  })

  test('of hundreds that are under way at once, each waits without being looked at again and again', () => {
    let looks = 0
    const counted = (part: StreamPart): StreamPart =>
      new Proxy(part, {
        get(one, name) {
          looks++
          return Reflect.get(one, name)
        },
      })
    const indexes = Array.from({ length: 500 }, (_, at) => at)
    const parts = [
      ...indexes.map(call),
      ...indexes.map(index => input(index, '{}')),
      ...indexes.map(end),
    ].map(counted)
    const lines = outline(writeAll([start, ...parts]))
    expect(lines.slice(0, -1)).toEqual(
      indexes.flatMap(at => [`${at} tool_use c${at}`, `${at} input_json_delta {}`, `${at} stop`]),
    )
    expect(looks).toBeLessThan(20 * parts.length)
  })
})

test('a client that wants no thoughts gets their signature only', () => {
  const hidden = { ...asked, request: { ...request, reasoning: { visible: false } } }
  const signed: StreamPart = { type: 'thinking-signature', signature: { by: 'anthropic', value: 'Eq' } }
  expect(outline(writeAll([start, think('a'), signed, think('b')], hidden))).toEqual([
    '0 thinking',
    '0 signature_delta Eq',
    '0 stop',
    'end end_turn',
  ])
})

test('a client that has not asked for thoughts gets no block of them, unless it may have to send them back', () => {
  const signed: StreamPart = { type: 'thinking-signature', signature: { by: 'gemini', value: 'Eq' } }
  const sealed: StreamPart = { type: 'thinking-redacted', data: 'x', by: 'openai-responses' }
  const parts = [start, think('a'), signed, sealed, text('b')]
  const blocksFor = (tools: NeutralRequest['tools']) =>
    outline(writeAll(parts, { ...asked, request: { ...request, tools } })).flatMap(
      line => /^\d (?:text|thinking|redacted_thinking)\b/.exec(line) ?? [],
    )
  expect(blocksFor([])).toEqual(['0 text'])
  expect(blocksFor([{ type: 'function', name: 'f', schema: {} }])).toEqual([
    '0 thinking',
    '1 redacted_thinking',
    '2 text',
  ])
})

test('a failure never looks like a good end', () => {
  const problem = { status: 502, message: 'cut' }
  const frame =
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"cut"},"request_id":null}\n\n'
  const writer = anthropic.createWriter(asked)
  writer.write(start)
  writer.write(text('a'))
  expect(writer.fail(problem)).toBe(frame)
  expect(writer.write({ type: 'problem', problem })).toBe('')
  expect(writer.end()).toBe(frame)
  expect(anthropic.writeStreamProblem(problem)).toBe(frame)
})

describe('what is read and written again reads the same', () => {
  const read = (stream: string): StreamPart[] => {
    const parts: StreamPart[] = []
    const reader = anthropic.createReader()
    const emit = (part: StreamPart) => {
      if (part.type !== 'usage') parts.push(part.type === 'start' ? { ...part, created: 0, model: '' } : part)
    }
    new SseReader((event, data) => reader.read(event, data, emit)).pushText(stream)
    expect(reader.end(emit)).toBe(true)
    return parts
  }
  test.each([
    ['text', textStream],
    ['thinking', thinkingStream],
    ['tools', toolsStream],
    ['refusal', refusalStream],
  ])('%s', (_name, stream) => {
    const parts = read(stream)
    expect(read(writeAll(parts))).toEqual(parts)
  })
})
