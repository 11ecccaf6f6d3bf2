import { expect, test } from 'bun:test'
import { showCharge } from './show-charge.ts'

const dollars = { quota_per_unit: 500_000, display_in_currency: true }

test.each([
  [60, '$0.00012'],
  [1, '$0.000002'],
  [500_000, '$1.00'],
  [0, '$0.00'],
  [50_000, '$0.10'],
])('%d units are %s', (quota, text) => {
  expect(showCharge(quota, dollars)).toBe(text)
})

test('in units where the site counts in units', () => {
  expect(showCharge(60, { ...dollars, display_in_currency: false })).toBe('60')
})
