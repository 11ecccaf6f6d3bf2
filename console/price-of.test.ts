import { expect, test } from 'bun:test'
import type { PricedModel } from '../contract/pricing.ts'
import { comparePrices, formatPrice, priceOf } from './price-of.ts'

const model: PricedModel = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  owner_by: '',
  completion_ratio: 4,
  cache_ratio: 0.5,
  create_cache_ratio: 1,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  enable_groups: ['default'],
}

test('a million tokens cost twice the ratio, by the group', () => {
  expect(priceOf(model, 1)).toEqual({
    prompt: 2.5,
    completion: 10,
    cacheRead: 1.25,
    cacheWrite: undefined,
    call: undefined,
  })
  expect(priceOf(model, 0.5)).toMatchObject({ prompt: 1.25, completion: 5 })
  expect(priceOf({ ...model, quota_type: 1, model_price: 0.04 }, 2).call).toBe(0.08)
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
