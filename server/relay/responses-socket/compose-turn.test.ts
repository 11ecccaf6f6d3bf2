import { expect, test } from 'bun:test'
import { type JsonObject, parseExactly } from '../../dialects/json.ts'
import { addAnswer, composeTurn } from './compose-turn.ts'

const create = (more: JsonObject): JsonObject => ({
  type: 'response.create',
  stream_id: 'a',
  generate: true,
  model: 'm',
  ...more,
})

test('what follows nothing goes out as it came', () => {
  const { body, before } = composeTurn(create({ input: 'Hello', stream: false }), undefined)
  expect(JSON.parse(body)).toEqual({ model: 'm', stream: true, input: 'Hello' })
  expect(before).toEqual({ base: undefined, items: '{"type":"message","role":"user","content":"Hello"}' })
  // Prompts of the vendor's own need none.
  expect(JSON.parse(composeTurn(create({ prompt: { id: 'p' } }), undefined).body)).toEqual({
    model: 'm',
    stream: true,
    prompt: { id: 'p' },
  })
})

test('what follows something comes behind it', () => {
  const former = { base: 'resp_1', items: '{"role":"user","content":"One"}' }
  const message = create({ previous_response_id: 'resp_2', input: [{ role: 'user', content: 'Two' }] })
  expect(JSON.parse(composeTurn(message, former).body)).toEqual({
    model: 'm',
    stream: true,
    previous_response_id: 'resp_1',
    input: [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
    ],
  })
  const silent = composeTurn(create({ previous_response_id: 'resp_2' }), former)
  expect(JSON.parse(silent.body).input).toEqual([{ role: 'user', content: 'One' }])
})

test('numbers stay as they were spelled', () => {
  const message = parseExactly(
    '{"type":"response.create","model":"m","input":[{"n":12345678901234567890}],"metadata":{"n":98765432109876543210}}',
  )
  const { body } = composeTurn(message ?? {}, { base: undefined, items: '{}' })
  expect(body).toContain('{"n":12345678901234567890}')
  expect(body).toContain('{"n":98765432109876543210}')
})

test('input that is none is for others to refuse, and nothing can follow it', () => {
  const { body, before } = composeTurn(create({ input: 7 }), { base: undefined, items: '{}' })
  expect(JSON.parse(body).input).toBe(7)
  expect(before).toBeUndefined()
})

test('of an answer that nobody stores only what can be sent back is kept', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'sealed' },
    { type: 'reasoning', id: 'rs_ours_0', summary: [{ type: 'summary_text', text: 'Hm' }] },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  ]
  const { items } = addAnswer({ base: undefined, items: '{"role":"user","content":"Go"}' }, output)
  expect(JSON.parse(`[${items}]`)).toEqual([
    { role: 'user', content: 'Go' },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'sealed' },
    { type: 'reasoning', id: 'rs_ours_0', summary: [{ type: 'summary_text', text: 'Hm' }] },
    { type: 'message', role: 'assistant', content: [] },
    { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  ])
})
