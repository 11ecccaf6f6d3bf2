import { expect, test } from 'bun:test'
import { minorUnitsOf, plainSum, stepOf, sumText } from './currency.ts'

test.each<[string, number, number, number, string]>([
  ['usd', 100, 1, 1234, '12.34'],
  ['huf', 100, 1, 1234, '12.34'],
  ['jpy', 1, 1, 1234, '1234'],
  ['kwd', 1000, 10, 1230, '1.230'],
  ['isk', 100, 100, 500, '5.00'],
  ['ugx', 100, 100, 500, '5.00'],
  ['', 100, 1, 730, '7.30'],
])('%p: one is %p, sums in steps of %p, %p is written %p', (currency, units, step, money, text) => {
  expect([minorUnitsOf(currency), stepOf(currency), plainSum(money, currency)]).toEqual([units, step, text])
})

test('a sum names its currency', () => {
  expect([sumText(5, 'usd'), sumText(99_999_999, 'eur')]).toEqual(['0.05 USD', '999999.99 EUR'])
})
