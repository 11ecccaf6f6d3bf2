import { expect, test } from 'bun:test'
import { formatQuota, shortNumber } from './quota.ts'
import { shortQuota } from './ui/amounts/amount-text.ts'
import { chargeInDollars, formatResult, formatSmallDollars } from './ui/amounts/charge.ts'

const dollars = { quota_per_unit: 500_000, display_in_currency: true }

test('a balance is shown in dollars, or in units where the server says so', () => {
  expect(formatQuota(500_000, dollars)).toBe('$1.00')
  expect(formatQuota(1_234_567_890, dollars)).toBe('$2,469.14')
  expect(formatQuota(-250_000, dollars)).toBe('-$0.50')
  expect(formatQuota(0, dollars)).toBe('$0.00')
  expect(formatQuota(2499, dollars)).toBe('<$0.01')
  expect(formatQuota(2500, dollars)).toBe('$0.01')
  expect([-1, -2499, -2500].map(quota => formatQuota(quota, dollars))).toEqual([
    '>-$0.01',
    '>-$0.01',
    '-$0.01',
  ])
  expect(formatQuota(2, dollars, 6)).toBe('$0.000004')
  expect(formatQuota(123_456, { ...dollars, display_in_currency: false })).toBe('123.5k')
})

test('large numbers are shortened from ten thousand on', () => {
  expect(shortNumber(999)).toBe('999')
  expect(shortNumber(9999)).toBe('9,999')
  expect(shortNumber(10_000)).toBe('10.0k')
  expect(shortNumber(2_500_000)).toBe('2.5M')
  expect(shortNumber(7_000_000_000)).toBe('7.0B')
  expect([999_949, 999_950, -999_999].map(shortNumber)).toEqual(['999.9k', '1.0M', '-1.0M'])
  expect([999_949_999, 999_950_000].map(shortNumber)).toEqual(['999.9M', '1.0B'])
  expect([999_949_999_999, 999_950_000_000].map(shortNumber)).toEqual(['999.9B', '1.0T'])
})

test('a charge is the arithmetic that its line shows', () => {
  const charge = {
    prompt: 1204,
    completion: 310,
    completionRatio: 4,
    modelRatio: 0.075,
    groupRatio: 1,
    quotaPerUnit: 500_000,
  }
  expect(formatSmallDollars(chargeInDollars(charge))).toBe('$0.00037')
  expect(formatResult(chargeInDollars(charge))).toBe('$0.00037')
  expect([formatResult(0.0105), formatResult(3.0225), formatResult(2)]).toEqual([
    '$0.0105',
    '$3.0225',
    '$2.00',
  ])
  expect(formatSmallDollars(0)).toBe('$0.00')
  expect(formatSmallDollars(1.234)).toBe('$1.23')
  expect(formatSmallDollars(1234.5)).toBe('$1,234.50')
})

test('what is too long for a column is shortened to hundredths', () => {
  const display = { quota_per_unit: 500_000, display_in_currency: true }
  const short = (dollars: number) => shortQuota(dollars * 500_000, display)
  expect(short(999_999.999)).toBe('$1.00M')
  expect([999, 123_456.78, 1_234_567.89, -2_500_000_000, 3_000_000_000_000].map(short)).toEqual([
    '$999.00',
    '$123.46k',
    '$1.23M',
    '-$2.50B',
    '$3.00T',
  ])
  expect(shortQuota(12_345_678, { ...display, display_in_currency: false })).toBe('12.3M')
})
