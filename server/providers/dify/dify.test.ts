import { describe, expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest, StreamPart } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { headersOf, urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { difyForm } from './form.ts'
import { dify } from './provider.ts'
import { readOutputs } from './read-answer.ts'
import { readFailure, readProblem } from './read-problem.ts'
import { DifyReader } from './stream-reader.ts'

const to = {
  ...{ baseUrl: dify.baseUrl, key: 'k', model: 'm', stream: true, other: '' },
  organization: undefined,
}
const base: NeutralRequest = { model: 'x', stream: true, system: [], messages: [], tools: [] }
const END =
  '{"event":"message_end","message_id":"m","metadata":{"usage":{"prompt_tokens":33,"completion_tokens":9,"total_tokens":42}}}'
const start = { type: 'start', id: 'm', model: '', created: 0 } as const
const usage = { type: 'usage', usage: { input: 33, output: 9 } } as const

function frames(...events: string[]): Uint8Array {
  return linesOf(events.map(data => (data === 'ping' ? 'event: ping\n\n' : `data: ${data}\n\n`)).join(''))
}

function read(isWorkflow: boolean, ...events: string[]): { parts: StreamPart[]; whole: boolean } {
  const parts: StreamPart[] = []
  const reader = new DifyReader(isWorkflow)
  for (const event of events) reader.read('', event, part => parts.push(part))
  return { parts, whole: reader.end(() => {}) }
}

describe('a stream, cut anywhere', () => {
  test('a chat, and what a chatflow says after its end', () => {
    const bytes = frames(
      'ping',
      '{"event":"reasoning_chunk","task_id":"t","data":{"message_id":"m","reasoning":"Hm"}}',
      '{"event":"message","task_id":"t","message_id":"m","conversation_id":"c","answer":"Hi 漢👋"}',
      'ping',
      END,
      '{"event":"workflow_finished","task_id":"t","data":{"status":"succeeded","outputs":{"answer":"Hi 漢👋"}}}',
    )
    const wholeFrom = Buffer.from(bytes).indexOf('{"event":"workflow_finished"') - 'data: '.length - 2
    expect(readAtEveryCut(sse, () => new DifyReader(false), bytes, wholeFrom)).toEqual([
      { ...start, id: '' },
      { type: 'thinking-delta', text: 'Hm' },
      { type: 'text-delta', text: 'Hi 漢👋' },
      usage,
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('a workflow, whose nodes tell what it took', () => {
    const node = (input: number, output: number) =>
      `{"event":"node_finished","data":{"node_type":"llm","outputs":{"text":"x","usage":{"prompt_tokens":${input},"completion_tokens":${output}}}}}`
    const bytes = frames(
      '{"event":"workflow_started","task_id":"t","data":{"id":"r"}}',
      node(10, 3),
      node(20, 4),
      '{"event":"node_finished","data":{"node_type":"end","outputs":null}}',
      '{"event":"workflow_finished","task_id":"t","data":{"status":"succeeded","outputs":{"text":"Done","n":1},"total_tokens":40}}',
    )
    expect(readAtEveryCut(sse, () => new DifyReader(true), bytes, bytes.length - 2)).toEqual([
      { ...start, id: 't' },
      { type: 'text-delta', text: 'Done' },
      { type: 'usage', usage: { input: 33, output: 7 } },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })
})

test('an agent’s repetition is left out, and so is text after it was replaced', () => {
  const piece = (event: string, answer: string) => JSON.stringify({ event, message_id: 'm', answer })
  const agent = read(
    false,
    piece('agent_message', 'a'),
    piece('agent_message', 'b'),
    piece('message', 'ab'),
    END,
  )
  expect(agent.parts.filter(({ type }) => type === 'text-delta')).toHaveLength(2)
  const late = read(
    false,
    piece('message', 'bad'),
    piece('message_replace', 'No.'),
    piece('message', 'x'),
    END,
  )
  expect(late.parts.slice(1)).toEqual([
    { type: 'text-delta', text: 'bad' },
    usage,
    { type: 'finish', finish: { reason: 'filtered' } },
  ])
  const early = read(false, piece('message_replace', 'No.'), END)
  expect(early.parts[1]).toEqual({ type: 'text-delta', text: 'No.' })
})

test.each([
  [false, '{"event":"error","status":429,"code":"rate_limit_error","message":"slow"}', 429, 'slow'],
  [false, '{"event":"error","status":400,"code":"app_unavailable","message":"off"}', 503, 'off'],
  [false, '{"event":"error"}', 502, 'The upstream answered with status 502'],
  [true, '{"event":"workflow_finished","data":{"status":"failed","error":"node broke"}}', 502, 'node broke'],
  [false, '{"event":"workflow_finished","data":{"status":"failed"}}', 502, 'The workflow ended as failed'],
  [true, '{"event":"workflow_paused","data":{}}', 501, 'The workflow waits for somebody'],
])('workflow %p: %s is no answer', (isWorkflow, event, status, message) => {
  const { parts, whole } = read(isWorkflow, event, END)
  expect(parts).toMatchObject([{ type: 'problem', problem: { status, message } }])
  expect(whole).toBe(false)
})

test('strange frames and answers break nothing', () => {
  const strange = [
    'null',
    '[]',
    '{',
    '{"event":1}',
    '{"event":"message"}',
    '{"event":"text_chunk","data":[]}',
  ]
  const nodes = ['{"event":"node_finished"}', '{"event":"node_finished","data":{"outputs":{"usage":[]}}}']
  expect(read(true, ...strange, ...nodes)).toEqual({ parts: [], whole: false })
  // A workflow does not end with a message, nor a chat with its workflow.
  expect(read(false, '{"event":"workflow_finished","data":{"status":"succeeded"}}').whole).toBe(false)
  for (const body of [{}, { answer: 1 }, { answer: null }]) expect(difyForm.readAnswer(body)).toBeUndefined()
  expect(difyForm.readAnswer({ answer: 'Hi', message_id: 'm' })).toMatchObject({ id: 'm', usage: undefined })
  expect(
    difyForm.readUsage({ metadata: { usage: { prompt_tokens: 0, completion_tokens: 0 } } }),
  ).toBeUndefined()
  expect(difyForm.readUsage({ metadata: null })).toBeUndefined()
})

test.each([
  [{ whatever: 'one' }, 'one'],
  [{ a: 'x', text: 'two' }, 'two'],
  [{ a: 1, b: [2] }, '{"a":1,"b":[2]}'],
  [{}, ''],
  [null, ''],
])('a workflow that gives %j says %p', (outputs, text) => expect(readOutputs(outputs)).toBe(text))

test('errors have the status that their code means, also behind a 200', () => {
  expect(readProblem(400, { code: 'not_chat_app', message: 'm', status: 400 })).toMatchObject({ status: 404 })
  expect(readProblem(400, { code: 'invalid_param', message: 'm', status: 400 })).toMatchObject({
    ...{ status: 400, code: 'invalid_param', message: 'm' },
  })
  expect(readFailure({ code: 'unauthorized', message: 'm', status: 401 })?.status).toBe(401)
  expect(readFailure({ code: 'x', message: 'm', status: 'no' })?.status).toBe(502)
  expect(readFailure({ answer: 'Hi', message: 'm', code: 'x' })).toBeUndefined()
})

test('a conversation is one question', () => {
  const text = (role: 'user' | 'assistant', said: string) => ({
    role,
    parts: [{ type: 'text', text: said } as const],
  })
  const request: NeutralRequest = {
    ...base,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [text('user', 'a'), text('assistant', 'b'), text('user', 'c')],
  }
  expect(difyForm.writeRequest(request, to)).toEqual({
    inputs: {},
    query: 'System: Be brief.\n\nUser: a\n\nAssistant: b\n\nUser: c',
    auto_generate_name: false,
    response_mode: 'streaming',
    user: 'user',
  })
  const proto = difyForm.writeRequest(
    { ...base, messages: [text('user', 'a')] },
    { ...to, other: 'workflow:__proto__' },
  )
  expect(JSON.stringify(proto.inputs)).toBe('{"__proto__":"a"}')
})

test.each([
  ['', '/v1/chat-messages'],
  ['nonsense', '/v1/chat-messages'],
  ['completion', '/v1/completion-messages'],
  ['workflow:q', '/v1/workflows/run'],
])('the address of %p', (other, path) => {
  const at = { ...to, other }
  const endpoint = chooseEndpoint(dify, 'anthropic', at)
  if (!endpoint) throw new Error('no endpoint')
  expect(urlOf(endpoint, at)).toBe(`https://api.dify.ai${path}`)
  expect(urlOf(endpoint, { ...at, baseUrl: 'https://own.example/v1' })).toBe(`https://own.example${path}`)
  expect(headersOf(dify, endpoint, at)).toEqual({ authorization: 'Bearer k' })
})
