import { expect, test } from 'bun:test'
import { readAmount } from './read-amount.ts'

test('an amount is whole and at least 1', () => {
  expect(['10', ' 7 ', '0', '-5', '0.5', '1.9', '', 'x', '1e3'].map(readAmount)).toEqual([
    10,
    7,
    1,
    1,
    1,
    1,
    undefined,
    undefined,
    undefined,
  ])
})
