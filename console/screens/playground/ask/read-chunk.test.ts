import { expect, test } from 'bun:test'
import { readChunk, readFailure } from './read-chunk.ts'

const delta = (fields: object) => JSON.stringify({ choices: [{ index: 0, delta: fields }] })

test.each([
  [undefined, delta({ content: 'Hi' }), { kind: 'delta', text: 'Hi', reasoning: '' }],
  [undefined, delta({ reasoning_content: 'Hm' }), { kind: 'delta', text: '', reasoning: 'Hm' }],
  [undefined, delta({ content: null, role: 'assistant' }), { kind: 'delta', text: '', reasoning: '' }],
  [
    undefined,
    '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}',
    { kind: 'delta', text: '', reasoning: '', usage: { prompt: 3, completion: 5 } },
  ],
  [undefined, '[DONE]', { kind: 'done' }],
  [
    undefined,
    '{"error":{"message":"no","code":"rate_limit_exceeded"}}',
    { kind: 'error', message: 'no', code: 'rate_limit_exceeded' },
  ],
  ['error', 'the line broke', { kind: 'error', message: 'the line broke', code: '' }],
  ['error', '{"message":"no"}', { kind: 'error', message: 'no', code: '' }],
  [undefined, '{"error":"no"}', { kind: 'error', message: 'no', code: '' }],
])('event %p with %p', (event, data, expected) => {
  expect(readChunk(event, data)).toEqual(expected as never)
})

test.each([
  '',
  'null',
  '7',
  '[]',
  '{"choices":null}',
  '{"choices":[null]}',
  '{"choices":[{"delta":7}]}',
  '{"usage":[]}',
])('%p says nothing', data => {
  expect(readChunk(undefined, data)).toEqual({ kind: 'delta', text: '', reasoning: '' })
})

test('a refusal is read from any body', () => {
  expect(readFailure('{"error":{"message":"no","code":null}}')).toMatchObject({ message: 'no', code: '' })
  expect(readFailure('{"success":false,"message":"nein"}')).toMatchObject({ message: 'nein' })
  expect(readFailure('<html>502</html>')).toMatchObject({ message: '<html>502</html>' })
})
