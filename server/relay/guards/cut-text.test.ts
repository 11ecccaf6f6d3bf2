import { expect, test } from 'bun:test'
import { cutText } from './cut-text.ts'

test('short texts stay whole, blank ones go', () => {
  expect(cutText('a'.repeat(2000))).toEqual(['a'.repeat(2000)])
  expect(cutText(' \n')).toEqual([])
})

const many = (say: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => say(at)).join('')

test.each([
  ['words', many(at => `word${at} `, 3000)],
  ['no gaps', many(at => String.fromCharCode(0x4e00 + at), 9999)],
  ['pairs', many(at => String.fromCodePoint(0x1f300 + at), 5001)],
  ['a gap only at the beginning', ` ${many(at => `x${at}`, 3000)}`],
])('%s: 98 letters in a row stand together in a piece, and no piece is too long', (_, text) => {
  const pieces = cutText(text)
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(2000)
    expect(piece.isWellFormed()).toBe(true)
  }
  for (let at = 0; at + 98 <= text.length; at += 37)
    expect(pieces.some(piece => piece.includes(text.slice(at, at + 98)))).toBe(true)
  expect(pieces.length).toBeLessThan(text.length / 1700 + 2)
})
