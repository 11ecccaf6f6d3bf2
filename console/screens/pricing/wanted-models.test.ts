import { expect, test } from 'bun:test'
import type { PricedModel } from '../../../contract/pricing.ts'
import type { PricingSearch } from './route.ts'
import { ownersOf, wantedModels } from './wanted-models.ts'

const model = (model_name: string, over: Partial<PricedModel> = {}) =>
  ({
    ...{ model_name, quota_type: 0, model_ratio: 1, model_price: 0, owner_by: 'openai' },
    ...{ completion_ratio: 1, enable_groups: ['default'] },
    ...over,
  }) as PricedModel

const models = [
  model('gpt-dear', { model_ratio: 9 }),
  model('sora', { quota_type: 1, model_price: 0.5 }),
  model('gpt-vip', { model_ratio: 0.1, enable_groups: ['vip'] }),
  model('Claude', { owner_by: 'anthropic', model_ratio: 3 }),
  model('gpt-small', { model_ratio: 0.5 }),
]

const named = (text: string, search: PricingSearch = {}) =>
  wantedModels(models, text, 'default', search).map(({ model_name }) => model_name)

test('by name, and last what the group cannot use', () => {
  expect(named('')).toEqual(['Claude', 'gpt-dear', 'gpt-small', 'sora', 'gpt-vip'])
})

test('by price, those paid by the call behind the others', () => {
  expect(named('', { price: 'prompt' })).toEqual(['gpt-small', 'Claude', 'gpt-dear', 'sora', 'gpt-vip'])
  expect(named('', { price: 'prompt', dearest: true })).toEqual([
    'gpt-dear',
    'Claude',
    'gpt-small',
    'sora',
    'gpt-vip',
  ])
})

test('only those that are looked for', () => {
  expect(named('gpt')).toEqual(['gpt-dear', 'gpt-small', 'gpt-vip'])
  expect(named('cla')).toEqual(['Claude'])
  expect(named('', { owner: 'anthropic' })).toEqual(['Claude'])
  expect(named('', { billing: 'calls' })).toEqual(['sora'])
  expect(named('gpt', { billing: 'calls' })).toEqual([])
})

test('owners, each once and in order', () => {
  expect(ownersOf([...models, model('x', { owner_by: '' })])).toEqual(['anthropic', 'openai'])
})
