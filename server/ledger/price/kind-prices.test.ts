import { expect, test } from 'bun:test'
import { settings } from '../../../contract/settings/index.ts'
import { kindPrices } from './kind-prices.ts'
import { PriceBook } from './price-book.ts'

type Settings = ConstructorParameters<typeof PriceBook>[0]

const none = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, setting.default]),
) as Settings

function kindsOf(model: string, set: Partial<Settings> = {}): Record<string, number> {
  const book = new PriceBook({ ...none, ...set })
  return kindPrices(book, model, book.inForce('ModelPrice'))
}

test('pictures by their size and quality, at the operator’s price', () => {
  expect(kindsOf('dall-e-2')).toEqual({ '256x256': 0.016, '512x512': 0.018 })
  expect(kindsOf('dall-e-3', { ModelPrice: { 'dall-e-3': 0.1 } })).toEqual({
    ...{ '1024x1792': 0.2, '1792x1024': 0.2 },
    ...{ 'hd 1024x1024': 0.2, 'hd 1024x1792': 0.3, 'hd 1792x1024': 0.3 },
  })
})

test('drawings in a hurry cost twice, or what they have for a price', () => {
  expect(kindsOf('mj_imagine')).toEqual({ turbo: 0.2 })
  expect(kindsOf('mj_imagine', { ModelPrice: { 'mj_imagine:turbo': 0.15 } })).toEqual({ turbo: 0.15 })
  // What is free is free however fast.
  expect(kindsOf('mj_inpaint')).toEqual({})
})

test('videos by what has a price of its own', () => {
  expect(kindsOf('sora-2-pro')).toEqual({ '1024x1792': 0.5, '1792x1024': 0.5 })
  expect(kindsOf('sora-2')).toEqual({})
})

test('what is paid by the token has no such kinds', () => {
  expect(kindsOf('gpt-4o')).toEqual({})
  expect(kindsOf('dall-e-3', { ModelRatio: { 'dall-e-3': 2 } })).toEqual({})
})
