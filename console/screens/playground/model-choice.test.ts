import { expect, test } from 'bun:test'
import type { PricedModel } from '../../../contract/pricing.ts'
import { modelsOf } from './model-choice.ts'

const priced = (name: string, ...enable_groups: string[]) =>
  [name, { model_name: name, enable_groups } as PricedModel] as const

test('the models of a group, and of all that auto stands for', () => {
  const prices = new Map([priced('a', 'default'), priced('b', 'vip', 'svip'), priced('c', 'svip')])
  const offer = { models: ['a', 'b', 'c', 'unpriced'], prices, autoGroups: ['default', 'vip'] }
  expect(modelsOf(offer, 'default')).toEqual(['a', 'unpriced'])
  expect(modelsOf(offer, 'auto')).toEqual(['a', 'b', 'unpriced'])
  expect(modelsOf({ ...offer, autoGroups: [] }, 'auto')).toEqual(['unpriced'])
})
