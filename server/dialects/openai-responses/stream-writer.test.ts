import { describe, expect, test } from 'bun:test'
import type { Asked } from '../dialect.ts'
import { asArray, asObject, type JsonObject } from '../json.ts'
import type { Finish, StreamPart } from '../spec.ts'
import { SseReader } from '../sse.ts'
import { openaiResponses } from './index.ts'

const ASKED: Asked = {
  model: 'gpt-x',
  request: openaiResponses.readRequest({ model: 'gpt-x', input: 'Hello', instructions: 'Be brief' }, {}),
  estimatedInput: 3,
}
const START: StreamPart = { type: 'start', id: 'resp_1', model: 'up', created: 7 }

interface Frame {
  readonly event: string
  readonly body: JsonObject
}

function readFrames(text: string): Frame[] {
  const frames: Frame[] = []
  const sse = new SseReader((event, data) => frames.push({ event, body: JSON.parse(data) }))
  sse.pushText(text)
  sse.end()
  return frames
}

function writeStream(parts: readonly StreamPart[], finish: Finish = { reason: 'stop' }): Frame[] {
  const writer = openaiResponses.createWriter(ASKED)
  const text = [START, ...parts, { type: 'finish' as const, finish }].map(part => writer.write(part)).join('')
  return readFrames(text + writer.end())
}

/** Type and place of each frame, without the prefix that all share. */
function outline(frames: readonly Frame[]): string[] {
  return frames.map(({ body }) => {
    const type = String(body.type).replace('response.', '')
    return body.output_index === undefined ? type : `${type} ${body.output_index}`
  })
}

test('exact bytes of the frames', () => {
  const writer = openaiResponses.createWriter(ASKED)
  writer.write(START)
  expect(writer.write({ type: 'text-delta', text: 'Hi "you"\n' })).toBe(
    'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"msg_1_0","type":"message","status":"in_progress","role":"assistant","content":[]}}\n\n' +
      'event: response.content_part.added\ndata: {"type":"response.content_part.added","sequence_number":3,"item_id":"msg_1_0","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}\n\n' +
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1_0","output_index":0,"content_index":0,"delta":"Hi \\"you\\"\\n","logprobs":[]}\n\n',
  )
})

test('created and in_progress come at once, with what was asked', () => {
  const writer = openaiResponses.createWriter(ASKED)
  const frames = readFrames(writer.write(START))
  expect(outline(frames)).toEqual(['created', 'in_progress'])
  expect(frames[0]?.body).toMatchObject({
    sequence_number: 0,
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: 7,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      instructions: 'Be brief',
      model: 'gpt-x',
      output: [],
      usage: null,
    },
  })
})

describe('order of the events', () => {
  const gemini = { by: 'gemini', value: 'G' } as const
  const cases: [string, StreamPart[], string[]][] = [
    [
      'text',
      [
        { type: 'text-delta', text: 'a' },
        { type: 'text-delta', text: '' },
        { type: 'text-delta', text: 'b' },
      ],
      [
        'output_item.added 0',
        'content_part.added 0',
        'output_text.delta 0',
        'output_text.delta 0',
        'output_text.done 0',
        'content_part.done 0',
        'output_item.done 0',
      ],
    ],
    [
      'thinking',
      [
        { type: 'thinking-delta', text: 'a' },
        { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S' } },
      ],
      [
        'output_item.added 0',
        'reasoning_summary_part.added 0',
        'reasoning_summary_text.delta 0',
        'reasoning_summary_text.done 0',
        'reasoning_summary_part.done 0',
        'output_item.done 0',
      ],
    ],
    [
      'a signature alone',
      [{ type: 'thinking-signature', signature: { by: 'anthropic', value: 'S' } }],
      ['output_item.added 0', 'output_item.done 0'],
    ],
    [
      'a refusal after text',
      [
        { type: 'text-delta', text: 'a' },
        { type: 'refusal-delta', text: 'no' },
      ],
      [
        'output_item.added 0',
        'content_part.added 0',
        'output_text.delta 0',
        'output_text.done 0',
        'content_part.done 0',
        'content_part.added 0',
        'refusal.delta 0',
        'refusal.done 0',
        'content_part.done 0',
        'output_item.done 0',
      ],
    ],
    [
      'a call without input, signed',
      [
        { type: 'tool-start', index: 0, id: 'c', name: 'f', signature: gemini },
        { type: 'tool-end', index: 0 },
      ],
      [
        'output_item.added 0',
        'output_item.done 0',
        'output_item.added 1',
        'function_call_arguments.delta 1',
        'function_call_arguments.done 1',
        'output_item.done 1',
      ],
    ],
    [
      'interleaved calls',
      [
        { type: 'tool-start', index: 4, id: 'a', name: 'f' },
        { type: 'tool-start', index: 7, id: 'b', name: 'g' },
        { type: 'tool-input-delta', index: 7, json: '{}' },
        { type: 'tool-input-delta', index: 4, json: '{"x":1}' },
        { type: 'tool-end', index: 7 },
        { type: 'tool-end', index: 4 },
      ],
      [
        'output_item.added 0',
        'output_item.added 1',
        'function_call_arguments.delta 1',
        'function_call_arguments.delta 0',
        'function_call_arguments.done 1',
        'output_item.done 1',
        'function_call_arguments.done 0',
        'output_item.done 0',
      ],
    ],
  ]
  test.each(cases)('%s', (_, parts, expected) => {
    const frames = writeStream(parts)
    expect(outline(frames)).toEqual(['created', 'in_progress', ...expected, 'completed'])
    frames.forEach(({ event, body }, at) => {
      expect(body.sequence_number).toBe(at)
      expect(event).toBe(String(body.type))
    })
  })
})

const PARTS: StreamPart[] = [
  { type: 'thinking-delta', text: 'Let me ' },
  { type: 'thinking-delta', text: 'see' },
  { type: 'thinking-signature', signature: { by: 'anthropic', value: 'S1' } },
  { type: 'thinking-redacted', data: 'R1', by: 'anthropic' },
  { type: 'text-delta', text: 'Hi ' },
  { type: 'text-delta', text: '😀' },
  {
    type: 'citation',
    citation: { type: 'citation', url: 'https://a.example', title: 'A', start: 0, end: 2 },
  },
  { type: 'tool-start', index: 0, id: 'c1', name: 'f', signature: { by: 'gemini', value: 'G' } },
  { type: 'tool-input-delta', index: 0, json: '{"a":' },
  { type: 'tool-input-delta', index: 0, json: '1}' },
  { type: 'tool-end', index: 0 },
  { type: 'media', media: { type: 'media', data: 'iVBO', mediaType: 'image/png' } },
]
const USAGE: StreamPart = {
  type: 'usage',
  usage: { input: 9, output: 8, cacheRead: 3, cacheWrite: 2, reasoning: 1 },
}

test('done events repeat all that was said, and the last holds what a plain answer would', () => {
  const frames = writeStream([...PARTS, USAGE], { reason: 'tools' })
  const text = frames.find(frame => frame.event === 'response.output_text.done')
  const call = frames.find(frame => frame.event === 'response.function_call_arguments.done')
  expect(text?.body.text).toBe('Hi 😀')
  expect(call?.body.arguments).toBe('{"a":1}')
  const last = asObject(frames.at(-1)?.body.response)
  const items = frames
    .filter(frame => frame.event === 'response.output_item.done')
    .map(frame => frame.body.item)
  expect(asArray(last?.output)).toEqual(items as JsonObject[])
  const plain = openaiResponses.writeAnswer(
    {
      id: 'resp_1',
      model: 'up',
      created: 7,
      parts: [
        { type: 'thinking', text: 'Let me see', signature: { by: 'anthropic', value: 'S1' } },
        { type: 'thinking', text: '', redacted: 'R1' },
        { type: 'text', text: 'Hi 😀' },
        { type: 'citation', url: 'https://a.example', title: 'A', start: 0, end: 2 },
        { type: 'tool-call', id: 'c1', name: 'f', input: '{"a":1}', signature: { by: 'gemini', value: 'G' } },
        { type: 'media', data: 'iVBO', mediaType: 'image/png' },
      ],
      finish: { reason: 'tools' },
      usage: { input: 9, output: 8, cacheRead: 3, cacheWrite: 2, reasoning: 1 },
    },
    ASKED,
  )
  expect(last).toEqual(JSON.parse(JSON.stringify(plain)))
})

test('what was written is read back as the same parts', () => {
  const writer = openaiResponses.createWriter(ASKED)
  const finish: StreamPart = { type: 'finish', finish: { reason: 'tools' } }
  const text = [START, ...PARTS, USAGE, finish].map(part => writer.write(part)).join('') + writer.end()
  const reader = openaiResponses.createReader()
  const parts: StreamPart[] = []
  new SseReader((event, data) => reader.read(event, data, part => parts.push(part))).pushText(text)
  expect(parts).toEqual([{ ...START, model: 'gpt-x' }, ...PARTS, USAGE, finish])
  expect(reader.end(() => {})).toBe(true)
})

describe('how it ends', () => {
  const cases: [Finish['reason'], string, JsonObject | null, string][] = [
    ['stop', 'completed', null, 'completed'],
    ['stop-string', 'completed', null, 'completed'],
    ['tools', 'completed', null, 'completed'],
    ['paused', 'completed', null, 'completed'],
    ['length', 'incomplete', { reason: 'max_output_tokens' }, 'incomplete'],
    ['filtered', 'incomplete', { reason: 'content_filter' }, 'incomplete'],
    ['broken-call', 'failed', null, 'incomplete'],
  ]
  test.each(cases)('%s', (reason, status, details, itemStatus) => {
    const frames = writeStream([{ type: 'text-delta', text: 'a' }], { reason })
    const last = frames.at(-1)
    expect(last?.event).toBe(`response.${status}`)
    expect(last?.body.response).toMatchObject({
      status,
      incomplete_details: details,
      output: [{ status: itemStatus }],
    })
  })

  test('a refusal in words is a complete answer', () => {
    const frames = writeStream([{ type: 'refusal-delta', text: 'No.' }], { reason: 'filtered' })
    expect(frames.at(-1)?.body.response).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }],
    })
  })

  test('calls that no one ended are ended', () => {
    const frames = writeStream([{ type: 'tool-start', index: 0, id: 'c', name: 'f' }], { reason: 'length' })
    expect(outline(frames).slice(-2)).toEqual(['output_item.done 0', 'incomplete'])
  })

  const call = (index: number, ...pieces: string[]): StreamPart[] => [
    { type: 'tool-start', index, id: `c${index}`, name: 'f' },
    ...pieces.map(json => ({ type: 'tool-input-delta', index, json }) as const),
    { type: 'tool-end', index },
  ]
  /** Status and arguments of the calls, as their own last events and the last of all tell them. */
  const callsOf = (frames: readonly Frame[]) => {
    const told = (item: unknown) => [asObject(item)?.status, asObject(item)?.arguments]
    const done = frames.filter(({ event }) => event === 'response.output_item.done')
    const listed = asArray(asObject(frames.at(-1)?.body.response)?.output)
    return { done: done.map(({ body }) => told(body.item)), listed: listed.map(told) }
  }

  test.each([
    [
      'cut off',
      [call(0, '{"a":1}'), call(1, '{"b"', ':')],
      'length',
      [
        ['completed', '{"a":1}'],
        ['incomplete', '{"b":'],
      ],
    ],
    ['cut off before its input', [call(0)], 'length', [['incomplete', '']]],
    ['whole, and then cut off', [call(0, '{"a":1}')], 'length', [['completed', '{"a":1}']]],
    [
      'without input',
      [call(0), call(1)],
      'tools',
      [
        ['completed', '{}'],
        ['completed', '{}'],
      ],
    ],
    ['odd', [call(0, '{"a"')], 'tools', [['completed', '{"a"']]],
  ] as const)('a call that is %s', (_name, calls, reason, told) => {
    const frames = writeStream(calls.flat(), { reason })
    const expected = told.map(one => [...one])
    expect(callsOf(frames)).toEqual({ done: expected, listed: expected })
  })

  test.each([
    ['length', '{"input":"*** Beg', 'incomplete', '{"input":"*** Beg'],
    ['tools', '{"input":"*** Begin"}', 'completed', '*** Begin'],
    ['tools', '*** Begin', 'completed', '*** Begin'],
  ] as const)('a custom call that ends with %s after %j', (reason, json, status, input) => {
    const body = { model: 'gpt-x', input: 'Hello', tools: [{ type: 'custom', name: 'patch' }] }
    const writer = openaiResponses.createWriter({ ...ASKED, request: openaiResponses.readRequest(body, {}) })
    const parts: StreamPart[] = [
      START,
      { type: 'tool-start', index: 0, id: 'c', name: 'patch' },
      { type: 'tool-input-delta', index: 0, json },
      { type: 'tool-end', index: 0 },
      { type: 'finish', finish: { reason } },
    ]
    const frames = readFrames(parts.map(part => writer.write(part)).join('') + writer.end())
    const done = frames.find(({ event }) => event === 'response.output_item.done')
    expect(done?.body.item).toMatchObject({ type: 'custom_tool_call', status, input })
  })

  test('an answer without a word', () => {
    const writer = openaiResponses.createWriter(ASKED)
    expect(outline(readFrames(writer.end()))).toEqual(['created', 'in_progress', 'completed'])
  })
})

test('calls that share an id, or have none, get their own', () => {
  const frames = writeStream([
    { type: 'tool-start', index: 0, id: 'a', name: 'f' },
    { type: 'tool-start', index: 1, id: 'a', name: 'f' },
    { type: 'tool-start', index: 2, id: '', name: 'f' },
  ])
  const output = asArray(asObject(frames.at(-1)?.body.response)?.output)
  expect(output.map(item => asObject(item)?.call_id)).toEqual(['a', 'call_1_1', 'call_1_2'])
})

describe('failing', () => {
  const problem = { status: 429, message: 'Slow down', code: 'rate_limit_exceeded' }

  test('midway: the error in both forms, then the response as far as it got', () => {
    const writer = openaiResponses.createWriter(ASKED)
    writer.write(START)
    writer.write({ type: 'text-delta', text: 'Half' })
    writer.write({ type: 'tool-start', index: 0, id: 'c', name: 'f' })
    writer.write({ type: 'tool-input-delta', index: 0, json: '{"a' })
    const [error, failed, ...rest] = readFrames(writer.fail(problem))
    expect(rest).toEqual([])
    expect(error?.event).toBe('error')
    expect(error?.body).toEqual({
      type: 'error',
      sequence_number: 10,
      code: 'rate_limit_exceeded',
      message: 'Slow down',
      param: null,
      error: { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
    })
    expect(failed?.event).toBe('response.failed')
    expect(failed?.body).toMatchObject({
      sequence_number: 11,
      response: {
        id: 'resp_1',
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Slow down' },
        output: [
          { type: 'message', status: 'completed', content: [{ text: 'Half' }] },
          { type: 'function_call', status: 'incomplete', arguments: '{"a' },
        ],
      },
    })
    expect(writer.fail(problem)).toBe('')
  })

  test('before anything was written', () => {
    const frames = readFrames(openaiResponses.createWriter(ASKED).fail({ status: 502, message: 'Gone' }))
    expect(outline(frames)).toEqual(['error', 'failed'])
    expect(frames[1]?.body.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  })
})
