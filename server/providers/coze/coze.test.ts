import { expect, test } from 'bun:test'
import { linesOf, readAtEveryCut } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest, StreamPart } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { readFailure } from './read-problem.ts'
import { CozeReader } from './stream-reader.ts'
import { writeRequest } from './write-request.ts'

const IDS = '"conversation_id":"c","bot_id":"b","chat_id":"t"'
const frame = (event: string, data: string) => `event:${event}\ndata:${data}\n\n`
const delta = (id: string, content: string) =>
  frame(
    'conversation.message.delta',
    `{"id":"${id}",${IDS},"role":"assistant","type":"answer","content":"${content}","content_type":"text"}`,
  )
const whole = (id: string, type: string, content: string) =>
  frame(
    'conversation.message.completed',
    `{"id":"${id}",${IDS},"role":"assistant","type":"${type}","content":"${content}","content_type":"text"}`,
  )
const CREATED = frame('conversation.chat.created', `{"id":"t",${IDS},"status":"created"}`)
const COMPLETED = frame(
  'conversation.chat.completed',
  `{"id":"t",${IDS},"status":"completed","usage":{"token_count":30,"output_count":10,"input_count":20}}`,
)
const end: StreamPart[] = [
  { type: 'usage', usage: { input: 20, output: 10 } },
  { type: 'finish', finish: { reason: 'stop' } },
]

function read(text: string): StreamPart[] {
  const parts: StreamPart[] = []
  const reader = new CozeReader()
  for (const one of text.split('\n\n').filter(Boolean)) {
    const [event = '', data = ''] = one.split('\n')
    reader.read(event.slice('event:'.length), data.slice('data:'.length), part => parts.push(part))
  }
  return parts
}

test('a stream, cut anywhere', () => {
  const bytes = linesOf(
    CREATED +
      delta('m', 'Hi ') +
      delta('m', '漢👋') +
      whole('m', 'answer', 'Hi 漢👋') +
      whole('v', 'verbose', 'generate_answer_finish') +
      COMPLETED +
      frame('done', '"[DONE]"'),
  )
  const wholeFrom = Buffer.from(bytes).indexOf('event:done') - 2
  expect(readAtEveryCut(sse, () => new CozeReader(), bytes, wholeFrom)).toEqual([
    { type: 'start', id: 't', model: '', created: 0 },
    { type: 'text-delta', text: 'Hi ' },
    { type: 'text-delta', text: '漢👋' },
    ...end,
  ])
})

test('several answers, one of them in one piece; what a bot does in between is not said', () => {
  const parts = read(
    CREATED +
      whole('f', 'function_call', 'x') +
      delta('m', 'One') +
      whole('m', 'answer', 'One') +
      whole('n', 'answer', 'Two') +
      COMPLETED,
  )
  const texts = parts.flatMap(part => (part.type === 'text-delta' ? part.text : []))
  expect([texts.join(''), parts.slice(-2)]).toEqual(['One\n\nTwo', end])
})

test.each([
  ['conversation.chat.failed', '{"status":"failed","last_error":{"code":4013,"msg":"slow down"}}', 429],
  ['conversation.chat.requires_action', '{"status":"requires_action"}', 501],
  ['error', '{"code":5000,"msg":"An internal error occurred."}', 502],
])('%s is no answer', (event, data, status) => {
  const parts = read(CREATED + delta('m', 'Hi') + frame(event, data) + COMPLETED)
  expect(parts.at(-1)).toMatchObject({ type: 'problem', problem: { status } })
})

test('usage of nothing is none', () => {
  const silent = COMPLETED.replace(
    /"usage":\{.*?\}/,
    '"usage":{"token_count":0,"output_count":0,"input_count":0}',
  )
  expect(read(CREATED + delta('m', 'Hi') + silent).some(({ type }) => type === 'usage')).toBe(false)
})

test('the bot is the one of the channel, or what the model is called', () => {
  const request: NeutralRequest = {
    ...{ model: 'x', stream: true, system: [{ type: 'text', text: 'Be brief.' }], tools: [] },
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'What?' },
          { type: 'image', source: { url: 'https://a/b.png' } },
        ],
      },
    ],
  }
  const to = { baseUrl: '', key: 'k', model: '738', stream: true, organization: undefined }
  const objects = '[{"type":"text","text":"What?"},{"type":"image","file_url":"https://a/b.png"}]'
  expect(writeRequest(request, { ...to, other: ' 739 ' })).toEqual({
    ...{ bot_id: '739', user_id: 'user', stream: true, auto_save_history: false },
    additional_messages: [
      { role: 'user', type: 'question', content: 'Be brief.', content_type: 'text' },
      { role: 'user', type: 'question', content: 'Hi', content_type: 'text' },
      { role: 'assistant', type: 'answer', content: 'Yes?', content_type: 'text' },
      { role: 'user', type: 'question', content: objects, content_type: 'object_string' },
    ],
  })
  expect(writeRequest(request, { ...to, other: '' }).bot_id).toBe('738')
})

test('errors behind a good status', () => {
  expect(readFailure({ code: 4100, msg: 'authentication is invalid' })).toMatchObject({
    status: 401,
    code: '4100',
  })
  expect(readFailure({ code: 0, msg: '', data: { id: 't' } })).toBeUndefined()
})
