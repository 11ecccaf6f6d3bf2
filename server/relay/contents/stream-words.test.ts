import { expect, test } from 'bun:test'
import type { DialectName } from '../../dialects/spec.ts'
import { StreamWords } from './stream-words.ts'

function wordsOf(dialect: DialectName, events: readonly object[], chunkBytes = 7): string {
  let text = ''
  const words = new StreamWords(dialect, said => {
    text += said
  })
  const name = (event: object) => ('type' in event ? `event: ${event.type}\n` : '')
  const bytes = Buffer.from(events.map(event => `${name(event)}data: ${JSON.stringify(event)}\n\n`).join(''))
  for (let at = 0; at < bytes.length; at += chunkBytes) words.push(bytes.subarray(at, at + chunkBytes))
  words.end()
  return text
}

const chunk = (delta: object) => ({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta }] })
const call = (index: number, given: object) => chunk({ tool_calls: [{ index, ...given }] })

test('thoughts, words and calls of tools each have their place', () => {
  const said = '<think>\nHm, 好.\n</think>\n\nGood day.\n\nlook_up: {"city":"Rome"}'
  const chat = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Hm, ' }),
    chunk({ reasoning_content: '好.' }),
    chunk({ content: 'Good ' }),
    chunk({ content: 'day.' }),
    call(0, { id: 'a', function: { name: 'look_up', arguments: '' } }),
    call(0, { function: { arguments: '{"city":' } }),
    call(0, { function: { arguments: '"Rome"}' } }),
  ]
  expect(wordsOf('openai-chat', chat)).toBe(said)
  const block = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  })
  const delta = (index: number, given: object) => ({ type: 'content_block_delta', index, delta: given })
  const message = {
    id: 'm',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  const anthropic = [
    { type: 'message_start', message },
    block(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm, 好.' }),
    { type: 'content_block_stop', index: 0 },
    block(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Good day.' }),
    { type: 'content_block_stop', index: 1 },
    block(2, { type: 'tool_use', id: 'a', name: 'look_up', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"city":"Rome"}' }),
  ]
  expect(wordsOf('anthropic', anthropic)).toBe(said)
})

test('calls that are told by turns can be told apart, and what went wrong stands at the end', () => {
  const events = [
    call(0, { id: 'a', function: { name: 'one', arguments: '{' } }),
    call(1, { id: 'b', function: { name: 'two', arguments: '{}' } }),
    call(0, { function: { arguments: '}' } }),
    { error: { message: 'no more', type: 'server_error' } },
  ]
  expect(wordsOf('openai-chat', events)).toBe('one: {\n\ntwo: {}\n\none: }\n\nno more')
  expect(wordsOf('openai-chat', [chunk({ reasoning_content: 'Hm' })])).toBe('<think>\nHm\n</think>')
})

test('what cannot be read is passed over', () => {
  expect(wordsOf('openai-chat', [['odd'], { choices: 7 }, chunk({ content: 'well' })])).toBe('well')
  expect(wordsOf('anthropic', [{ odd: true }])).toBe('')
})
