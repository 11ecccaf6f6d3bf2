import { expect, test } from 'bun:test'
import { isSameSecret } from './same-secret.ts'

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['abc', 'abcd', false],
  ['abc', 'ABC', false],
  ['abc', '', false],
  // As many letters, and more bytes.
  ['abc', 'abç', false],
])('%p and %p are the same secret: %p', (expected, given, isSame) => {
  expect(isSameSecret(expected, given)).toBe(isSame)
})
