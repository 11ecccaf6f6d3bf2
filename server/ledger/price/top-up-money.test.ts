import { expect, test } from 'bun:test'
import { topUpMoney } from './top-up-money.ts'

const settings = {
  Price: 7.3,
  TopupGroupRatio: { default: 1, vip: 0.95, free: 0, odd: 0.333 },
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
}

test.each<[number, string, number]>([
  [1, 'default', 730],
  [10, 'vip', 6935],
  [1, 'vip', 694], // 693.5
  [3, 'odd', 729], // 729.27
  [2, 'free', 1460],
  [2, 'unheard-of', 1460],
  [2, 'constructor', 1460],
  [0, 'default', 0],
  [1_000_000, 'default', 730_000_000],
])('%p for %s costs %p cents', (amount, group, cents) => {
  expect(topUpMoney(amount, settings, group)).toBe(cents)
})

test('where quota is not shown as currency, the amount is quota', () => {
  const inQuota = { ...settings, DisplayInCurrencyEnabled: false }
  expect(topUpMoney(500_000, inQuota, 'default')).toBe(730)
  expect(topUpMoney(12_345, inQuota, 'default')).toBe(18) // 18.0237
  expect(topUpMoney(1_234_567, { ...inQuota, QuotaPerUnit: 7 }, 'vip')).toBe(122_310_316) // …316.36
})

test.each([-1, 0.5, 2 ** 53, Number('1e400'), Number.NaN, '5' as unknown as number])(
  '%p is refused',
  amount => {
    expect(() => topUpMoney(amount, settings, 'default')).toThrow('amount')
  },
)

test('so is a sum that cannot be held', () => {
  expect(() => topUpMoney(Number.MAX_SAFE_INTEGER, settings, 'default')).toThrow('too high')
})
