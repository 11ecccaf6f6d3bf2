import { expect, test } from 'bun:test'
import { settings } from '../../../contract/settings/index.ts'
import { cost } from './cost.ts'
import { type Picture, priceOfPicture } from './picture-prices.ts'
import { PriceBook } from './price-book.ts'

const none = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, setting.default]),
) as ConstructorParameters<typeof PriceBook>[0]
const book = new PriceBook(none)

/** Vendors' list prices of one picture. */
test.each<[string, Picture, number]>([
  ['dall-e-2', {}, 0.02],
  ['dall-e-2', { size: '1024x1024' }, 0.02],
  ['dall-e-2', { size: '512x512' }, 0.018],
  ['dall-e-2', { size: '256x256' }, 0.016],
  ['dall-e-2', { size: '256x256', quality: 'hd' }, 0.016],
  ['dall-e-3', {}, 0.04],
  ['dall-e-3', { quality: 'standard', size: '1792x1024' }, 0.08],
  ['dall-e-3', { size: '1024x1792' }, 0.08],
  ['dall-e-3', { quality: 'hd' }, 0.08],
  ['dall-e-3', { quality: 'hd', size: '1024x1024' }, 0.08],
  ['dall-e-3', { quality: 'hd', size: '1024x1792' }, 0.12],
  ['dall-e-3', { quality: 'hd', size: '7x7' }, 0.08],
  ['dall-e-3', { quality: 'constructor', size: '__proto__' }, 0.04],
  ['imagen-4.0-generate-001', { quality: 'hd', size: '1024x1792' }, 0.04],
])('%s as %j costs %d dollars', (model, picture, dollars) => {
  const price = priceOfPicture(book.snapshot(model, 'default'), picture)
  expect(cost(price, { calls: 3 })).toBe(Math.round(dollars * 3 * 500_000))
  expect(priceOfPicture(book.snapshot(model, 'default'), picture)).toBe(price)
})

test('what is paid by the token stays so', () => {
  const byToken = new PriceBook({ ...none, ModelRatio: { 'dall-e-3': 2 } }).snapshot('dall-e-3', 'default')
  expect(priceOfPicture(byToken, { quality: 'hd' })).toBe(byToken)
})
