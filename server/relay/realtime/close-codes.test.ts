import { expect, test } from 'bun:test'
import { closeReason, sendableCode } from './close-codes.ts'

test.each([
  [1000, 1000],
  [1001, 1001],
  [1004, 1011],
  [1005, 1000],
  [1006, 1011],
  [1008, 1008],
  [1013, 1013],
  [1015, 1011],
  [2999, 1011],
  [3000, 3000],
  [4999, 4999],
  [5000, 1011],
  [0, 1011],
  [Number.NaN, 1011],
])('code %p is passed on as %p', (seen, sent) => {
  expect(sendableCode(seen)).toBe(sent)
})

test('a reason fits into its frame, whole letters only', () => {
  expect(closeReason('bye')).toBe('bye')
  expect(closeReason('x'.repeat(200))).toBe('x'.repeat(123))
  expect(closeReason('额'.repeat(50))).toBe('额'.repeat(41))
  expect(closeReason(`ab${'额'.repeat(50)}`)).toBe(`ab${'额'.repeat(40)}`)
})
