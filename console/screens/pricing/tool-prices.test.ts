import { expect, test } from 'bun:test'
import { sayOwnToolPrices, sayToolPrices, searchPriceOf } from './tool-prices.ts'

const prices = {
  web_search_price: { default: 10, gemini: 14, 'gemini-2': 35, 'sonar:low': 5, 'sonar:high': 12, free: 0 },
  tool_price: { file_search: 2.5, code_interpreter: 30, 'grok:code_interpreter': 5, nothing: 0 },
}

test('what holds for all models, at the price of the group', () => {
  expect(sayToolPrices(prices, 2)).toBe('web_search $20.00 · file_search $5.00 · code_interpreter $60.00')
})

test('what holds for one', () => {
  expect(sayOwnToolPrices('gemini-2.5-pro', prices, 1)).toBe('web_search $35.00')
  expect(sayOwnToolPrices('grok-4.5', prices, 1)).toBe('code_interpreter $5.00')
  expect(sayOwnToolPrices('sonar', prices, 1)).toBe('web_search (low) $5.00 · web_search (high) $12.00')
  expect(sayOwnToolPrices('gpt-4o', prices, 1)).toBe('')
  expect(sayOwnToolPrices('free-model', prices, 1)).toBe('')
})

test('one search, of a model that makes one for every answer', () => {
  expect(searchPriceOf('gemini-2.5-pro', prices, 2)).toBeCloseTo(0.07)
  expect(searchPriceOf('gpt-4o-search-preview', prices, 0.5)).toBeCloseTo(0.005)
  expect(searchPriceOf('free-model', prices, 1)).toBe(0)
})
