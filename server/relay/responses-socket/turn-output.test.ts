import { expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import { TurnOutput } from './turn-output.ts'

interface Kept {
  readonly id: string
  readonly output: readonly JsonObject[]
}

function open(streamId?: string, previousId?: string) {
  const sent: JsonObject[] = []
  const kept: Kept[] = []
  const output = new TurnOutput({
    wire: { send: message => sent.push(JSON.parse(message)), taken: () => undefined },
    streamId,
    previousId,
    onWhole: (id, items) => {
      // Whoever is told may ask at once.
      expect(sent.some(({ type }) => type === 'response.completed')).toBe(false)
      kept.push({ id, output: items })
    },
  })
  return { sent, kept, output }
}

const created = { type: 'response.created', response: { id: 'resp_1', previous_response_id: null } }
const item = { type: 'message', role: 'assistant', content: [] }
const done = { type: 'response.output_item.done', output_index: 0, item }
const completed = { type: 'response.completed', response: { id: 'resp_1', output: [] } }

test.each(['named', 'unnamed', 'misnamed'])('events become messages, %s or not', how => {
  const { sent, kept, output } = open('lane "1"')
  const name = (type: string) =>
    ({ named: `event: ${type}\n`, unnamed: '', misnamed: 'event: message\n' })[how]
  for (const event of [created, done, completed])
    output.write(`${name(event.type)}data: ${JSON.stringify(event)}\n\n`)
  output.write(': keep-alive\n\ndata: [DONE]\n\n')
  output.close()
  expect(sent).toEqual([created, done, completed].map(event => ({ stream_id: 'lane "1"', ...event })))
  // This upstream does not repeat at the end what it said.
  expect(kept).toEqual([{ id: 'resp_1', output: [item] }])
  expect([output.responseId, output.outcome]).toEqual(['resp_1', 'whole'])
})

test('of an answer that is too long to be remembered nothing is kept', () => {
  const { sent, kept, output } = open()
  const long = { ...done, item: { ...item, content: 'x'.repeat(9 * 1024 * 1024) } }
  for (const event of [created, long, long, done, completed])
    output.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  expect([sent.length, kept.length, output.outcome]).toEqual([5, 0, 'whole'])
})

test('a client is told what it goes on from', () => {
  const { sent, output } = open(undefined, 'resp_0')
  output.write(`event: response.created\ndata: ${JSON.stringify(created)}\n\n`)
  expect(sent).toEqual([{ ...created, response: { id: 'resp_1', previous_response_id: 'resp_0' } }])
})

test('frames may be cut anywhere', () => {
  const { sent, output } = open()
  const bytes = new TextEncoder().encode(`event: response.created\ndata: ${JSON.stringify(created)}\n\n`)
  for (const byte of bytes) output.write(Uint8Array.of(byte))
  expect(sent).toEqual([created])
  expect(output.outcome).toBeUndefined()
})

test('a response that failed ends the turn, and is not kept', () => {
  const { kept, output } = open()
  output.write('event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_1"}}\n\n')
  expect([output.outcome, kept]).toEqual(['failed', []])
})
