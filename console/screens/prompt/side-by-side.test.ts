import { expect, test } from 'bun:test'
import { compareLines } from './line-differences.ts'
import { foldPairs, ownPart, pairLines } from './side-by-side.ts'

const pair = (one: string, other: string) => pairLines(compareLines(one.split(''), other.split('')))
const shown = (one: string, other: string) =>
  foldPairs(pair(one, other)).map(row =>
    'folded' in row ? row.folded : `${row.one ?? ''}${row.isSame ? '=' : '>'}${row.other ?? ''}`,
  )

test.each([
  ['abc', 'abc', ['a=a', 'b=b', 'c=c']],
  ['abc', 'axc', ['a=a', 'b>x', 'c=c']],
  ['abc', 'ac', ['a=a', 'b>', 'c=c']],
  ['ac', 'abbc', ['a=a', '>b', '>b', 'c=c']],
  ['a', 'xyz', ['a>x', '>y', '>z']],
])('%p beside %p', (one, other, rows) => {
  expect(shown(one, other)).toEqual(rows)
})

test('what is far from any change is folded, unless that is little', () => {
  expect(shown('abcdefghX', 'abcdefghY')).toEqual([5, 'f=f', 'g=g', 'h=h', 'X>Y'])
  expect(shown('abcdefX', 'abcdefY')).toHaveLength(7)
  expect(shown('XabcdefghijklY', 'ZabcdefghijklW')).toEqual([
    ...['X>Z', 'a=a', 'b=b', 'c=c', 6, 'j=j', 'k=k', 'l=l', 'Y>W'],
  ])
})

test('whatever differs, both texts can be read from the pairs', () => {
  for (let seed = 1; seed < 200; seed++) {
    const draw = (length: number) =>
      Array.from({ length }, (_, at) => 'abc'[(seed * 7919 * (at + length)) % 3] ?? '').join('')
    const [one, other] = [draw(seed % 9), draw((seed * 5) % 7)]
    const pairs = pair(one, other)
    const read = (side: 'one' | 'other') => pairs.map(row => row[side] ?? '').join('')
    expect([read('one'), read('other')]).toEqual([one, other])
  }
})

test.each([
  ['warm words', 'cold words', ['', 'warm', ' words']],
  ['be kind', 'be very kind', ['be ', '', 'kind']],
  ['aa', 'aaa', ['', 'aa', '']],
  ['in five words', 'in three words', ['in ', 'five', ' words']],
  ['用五句话', '用三句话', ['用', '五', '句话']],
  ['same', 'same', ['same', '', '']],
  ['', 'x', ['', '', '']],
])('what is its own of %p, beside %p', (text, other, parts) => {
  expect(ownPart(text, other)).toEqual(parts as [string, string, string])
})
