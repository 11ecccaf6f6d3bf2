import { expect, test } from 'bun:test'
import { showPrices } from './show-price.ts'

test('a server’s price is one, or reaches from its cheapest tool to its dearest', () => {
  const dollars = { quota_per_unit: 500_000, display_in_currency: true }
  const shown = (price: number, tool_prices: Record<string, number>) =>
    showPrices({ price, tool_prices }, dollars, 'free')
  expect(shown(0, {})).toBe('free')
  expect(shown(500, {})).toBe('$0.0010')
  expect(shown(500, { same: 500 })).toBe('$0.0010')
  expect(shown(500, { none: 0, dear: 5000 })).toBe('free – $0.0100')
  expect(shown(5000, { cheap: 500 })).toBe('$0.0010 – $0.0100')
})
