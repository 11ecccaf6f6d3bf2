import { expect, test } from 'bun:test'
import { splitAtPlaces, variablesIn } from './prompt-text.ts'

test.each([
  ['plain', ['plain']],
  ['{{a}}', ['', 'a', '']],
  ['Hi {{ name }}, {{name}}!', ['Hi ', 'name', ', ', 'name', '!']],
  ['{{姓名}} {{a.b-c_1}}', ['', '姓名', ' ', 'a.b-c_1', '']],
  // What is no name is text.
  ['{{}} {{ }} {{1a}} {{a b}} {a} {{{a}}}', ['{{}} {{ }} {{1a}} {{a b}} {a} {', 'a', '}']],
  [`{{${'a'.repeat(65)}}}`, [`{{${'a'.repeat(65)}}}`]],
])('%p', (text, pieces) => {
  expect(splitAtPlaces(text)).toEqual(pieces)
})

test('each variable once, in the order in which they are met', () => {
  expect(variablesIn(['{{b}} {{a}}', '{{a}} {{c}}'])).toEqual(['b', 'a', 'c'])
})

test('a text made to be slow is not', () => {
  expect(splitAtPlaces(`{{${' '.repeat(50_000)}`)).toHaveLength(1)
  expect(splitAtPlaces('{{a'.repeat(30_000))).toHaveLength(1)
})
