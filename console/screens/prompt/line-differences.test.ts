import { expect, test } from 'bun:test'
import { compareLines } from './line-differences.ts'

const marks = { same: ' ', gone: '-', new: '+' }
const compare = (one: string, other: string) =>
  compareLines(one.split(''), other.split('')).map(({ text, kind }) => marks[kind] + text)

test.each([
  ['abc', 'abc', [' a', ' b', ' c']],
  ['abc', 'axc', [' a', '-b', '+x', ' c']],
  ['abc', 'ac', [' a', '-b', ' c']],
  ['ac', 'abc', [' a', '+b', ' c']],
  ['ab', 'ba', ['-a', ' b', '+a']],
  ['a', 'b', ['-a', '+b']],
])('%p to %p', (one, other, lines) => {
  expect(compare(one, other)).toEqual(lines)
})

test('each text can be read from it, however they differ', () => {
  for (let seed = 1; seed < 200; seed++) {
    const draw = (length: number) =>
      Array.from({ length }, (_, at) => 'abc'[(seed * 7919 * (at + length)) % 3] ?? '')
    const [one, other] = [draw(seed % 9), draw((seed * 5) % 7)]
    const lines = compareLines(one, other)
    const read = (kind: string) => lines.filter(line => line.kind !== kind).map(({ text }) => text)
    expect([read('new'), read('gone')]).toEqual([one, other])
  }
})

test('texts that are too long to compare are told whole', () => {
  const long = (word: string) => Array.from({ length: 2500 }, () => word)
  expect(compareLines(long('a'), long('a'))).toHaveLength(5000)
})
