import { expect, test } from 'bun:test'
import { topUpMoney } from './top-up-money.ts'

const yuan = { price: 7.3, minorUnits: 100, step: 1 }
const settings = {
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
  expect(topUpMoney(amount, yuan, settings, group)).toBe(cents)
})

test('where quota is not shown as currency, the amount is quota', () => {
  const inQuota = { ...settings, DisplayInCurrencyEnabled: false }
  expect(topUpMoney(500_000, yuan, inQuota, 'default')).toBe(730)
  expect(topUpMoney(12_345, yuan, inQuota, 'default')).toBe(18) // 18.0237
  expect(topUpMoney(1_234_567, yuan, { ...inQuota, QuotaPerUnit: 7 }, 'vip')).toBe(122_310_316) // …316.36
})

test.each([-1, 0.5, 2 ** 53, Number('1e400'), Number.NaN, '5' as unknown as number])(
  '%p is refused',
  amount => {
    expect(() => topUpMoney(amount, yuan, settings, 'default')).toThrow('amount')
  },
)

test('so is a sum that cannot be held', () => {
  expect(() => topUpMoney(Number.MAX_SAFE_INTEGER, yuan, settings, 'default')).toThrow('too high')
})

test.each<[string, { price: number; minorUnits: number; step: number }, number, string, number]>([
  ['yen', { price: 150.5, minorUnits: 1, step: 1 }, 1, 'default', 151],
  ['yen', { price: 150.5, minorUnits: 1, step: 1 }, 3, 'vip', 429], // 428.925
  ['dinars', { price: 0.307, minorUnits: 1000, step: 10 }, 1, 'default', 310], // 307
  ['dinars', { price: 0.307, minorUnits: 1000, step: 10 }, 10, 'default', 3070],
  ['krónur', { price: 138.4, minorUnits: 100, step: 100 }, 1, 'default', 13_800], // 13 840
  ['krónur', { price: 138.5, minorUnits: 100, step: 100 }, 1, 'default', 13_900],
])('%s count their own way (%p: %p for %s)', (_name, tariff, amount, group, money) => {
  expect(topUpMoney(amount, tariff, settings, group)).toBe(money)
})
