import { expect, test } from 'bun:test'
import { readTransfer } from './read-transfer.ts'

test('a transfer is a whole number between one quota unit and what there is', () => {
  expect(readTransfer('500000', 500_000, 1_000_000)).toEqual({ amount: 500_000 })
  expect(readTransfer(' 1000000 ', 500_000, 1_000_000)).toEqual({ amount: 1_000_000 })
  expect(readTransfer('499999', 500_000, 1_000_000)).toEqual({ fault: 'least' })
  expect(readTransfer('1000001', 500_000, 1_000_000)).toEqual({ fault: 'most' })
})

test('anything else is no amount', () => {
  for (const text of ['', ' ', '-1', '1.5', '1e6', 'NaN', '9'.repeat(16)])
    expect(readTransfer(text, 1, 10)).toEqual({ fault: 'number' })
})
