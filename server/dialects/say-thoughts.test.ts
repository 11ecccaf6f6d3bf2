import { expect, test } from 'bun:test'
import { sayThoughts, ThoughtSayer } from './say-thoughts.ts'
import type { AnswerPart, NeutralAnswer, StreamPart } from './spec.ts'

const answer = (...parts: AnswerPart[]): NeutralAnswer => ({
  ...{ id: '1', model: 'm', created: 1, finish: { reason: 'stop' as const } },
  parts,
})
const textOf = ({ parts }: Pick<NeutralAnswer, 'parts'>): string =>
  parts.map(part => (part.type === 'text' ? part.text : `[${part.type}]`)).join('')

test('thoughts stand before what is said, each time that there are some', () => {
  const thought = (text: string): AnswerPart => ({ type: 'thinking', text })
  const said = (text: string): AnswerPart => ({ type: 'text', text })
  const call: AnswerPart = { type: 'tool-call', id: 'c', name: 'f', input: '' }
  const whole = sayThoughts({
    ...answer(
      thought('a'),
      thought('b'),
      { type: 'thinking', text: '', redacted: 'x' },
      said('c'),
      thought('d'),
      call,
    ),
    others: [{ parts: [thought('e')], finish: { reason: 'length' } }],
  })
  expect(textOf(whole)).toBe('<think>\nab\n</think>\n\nc<think>\nd\n</think>\n\n[tool-call]')
  expect(whole.others?.map(textOf)).toEqual(['<think>\ne\n</think>\n\n'])
  const plain = answer(said('c'))
  expect(sayThoughts(plain).parts).toBe(plain.parts)
})

test('a source of a text moves with it', () => {
  const cited: AnswerPart = { type: 'citation', url: 'u', start: 0, end: 3 }
  const { parts } = sayThoughts(answer({ type: 'thinking', text: 'a' }, { type: 'text', text: 'abc' }, cited))
  const moved = '<think>\na\n</think>\n\n'.length
  expect(parts.at(-1)).toEqual({ ...cited, start: moved, end: moved + 3 })
})

test('a stream says the same, whatever it is cut into', () => {
  const sayer = new ThoughtSayer({
    write: part => (part.type === 'text-delta' ? part.text : `[${part.type}]`),
    end: () => '[end]',
    fail: () => '[fail]',
  })
  const parts: StreamPart[] = [
    { type: 'start', id: '1', model: 'm', created: 1 },
    { type: 'thinking-delta', text: '' },
    { type: 'thinking-delta', text: 'a' },
    { type: 'text-delta', text: '' },
    { type: 'thinking-delta', text: 'b' },
    { type: 'thinking-signature', signature: { by: 'anthropic', value: 's' } },
    { type: 'text-delta', text: 'c' },
    { type: 'text-delta', text: 'd' },
    { type: 'usage', usage: { input: 1, output: 1 } },
    { type: 'thinking-delta', text: 'e' },
    { type: 'finish', finish: { reason: 'length' } },
  ]
  const text = parts.map(part => sayer.write(part)).join('') + sayer.end()
  expect(text).toBe('[start]<think>\nab\n</think>\n\ncd[usage]<think>\ne\n</think>\n\n[finish][end]')
  expect(sayer.fail({ status: 500, message: 'm' })).toBe('[fail]')
})
