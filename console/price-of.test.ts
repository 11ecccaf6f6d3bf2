import { expect, test } from 'bun:test'
import type { PricedModel } from '../contract/pricing.ts'
import { comparePrices, formatPrice, longPriceOf, modelFor, priceOf } from './price-of.ts'

const model: PricedModel = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  owner_by: '',
  completion_ratio: 4,
  cache_ratio: 0.5,
  create_cache_ratio: 1,
  create_cache_1h_ratio: 1.6,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 4,
  enable_groups: ['default'],
}

test('a million tokens cost twice the ratio, by the group', () => {
  expect(priceOf(model, 1)).toEqual({
    prompt: 2.5,
    completion: 10,
    cacheRead: 1.25,
    cacheWrite: undefined,
    cacheWriteHour: 4,
    image: undefined,
    audio: undefined,
    audioOutput: undefined,
    call: undefined,
  })
  expect(priceOf(model, 0.5)).toMatchObject({ prompt: 1.25, completion: 5 })
  expect(priceOf({ ...model, quota_type: 1, model_price: 0.04 }, 2).call).toBe(0.08)
})

test('what is neither plain input nor plain output has a price where it is another', () => {
  const spoken = { ...model, image_ratio: 2, audio_ratio: 16, audio_completion_ratio: 2 }
  expect(priceOf(spoken, 1)).toMatchObject({ image: 5, audio: 40, audioOutput: 80 })
  // Sound that comes out at the price of text, by quotients: 1.25 ÷ 0.3 of what sound costs.
  const asText = { ...model, completion_ratio: 2.5, audio_ratio: 0.3, audio_completion_ratio: 2.5 / 0.3 }
  expect(priceOf(asText, 1).audioOutput).toBeUndefined()
  // Without a cache that costs something else, an hour in it is not spoken of.
  expect(priceOf({ ...model, cache_ratio: 1 }, 1).cacheWriteHour).toBeUndefined()
})

test('long input has prices of its own, beyond a length', () => {
  const long_input = { over: 200_000, model_ratio: 2.5, completion_ratio: 3, audio_completion_ratio: 3 }
  const long = { ...model, long_input }
  expect(longPriceOf(long, 0.5)).toMatchObject({
    over: 200_000,
    prompt: 2.5,
    completion: 7.5,
    cacheRead: 1.25,
  })
  expect(priceOf(long, 0.5)).toMatchObject({ prompt: 1.25, completion: 5 })
  expect(longPriceOf(model, 1)).toBeUndefined()
  expect([200_000, 200_001].map(input => modelFor(long, input).model_ratio)).toEqual([1.25, 2.5])
  expect(modelFor(model, 1_000_000)).toBe(model)
})

test('small prices keep their digits', () => {
  expect([2.5, 0.075, 0.0004, 0, 1234.5].map(formatPrice)).toEqual([
    '$2.50',
    '$0.075',
    '$0.0004',
    '$0.00',
    '$1,234.50',
  ])
})

test('the cheaper comes first, and what has a price for a call comes after what has one for tokens', () => {
  const cheap = { ...model, model_ratio: 0.1, completion_ratio: 100 }
  const call = { ...model, quota_type: 1, model_price: 0.001 }
  const order = (by: 'prompt' | 'completion') =>
    [call, model, cheap].toSorted((one, other) => comparePrices(one, other, by))
  expect(order('prompt')).toEqual([cheap, model, call])
  expect(order('completion')).toEqual([model, cheap, call])
  const dearest = [call, model, cheap].toSorted((one, other) => comparePrices(one, other, 'prompt', true))
  expect(dearest).toEqual([model, cheap, call])
})
