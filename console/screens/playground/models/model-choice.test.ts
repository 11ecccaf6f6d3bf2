import { expect, test } from 'bun:test'
import type { PricedModel } from '../../../../contract/pricing.ts'
import { initialSettings } from '../ask/settings.ts'
import { modelsOf, withExistingModel } from './model-choice.ts'

const priced = (name: string, ...enable_groups: string[]) =>
  [name, { model_name: name, enable_groups } as PricedModel] as const

test('the models of a group, and of all that auto stands for', () => {
  const prices = new Map([priced('a', 'default'), priced('b', 'vip', 'svip'), priced('c', 'svip')])
  const offer = { models: ['a', 'b', 'c', 'unpriced'], prices, autoGroups: ['default', 'vip'] }
  expect(modelsOf(offer, 'default')).toEqual(['a', 'unpriced'])
  expect(modelsOf(offer, 'auto')).toEqual(['a', 'b', 'unpriced'])
  expect(modelsOf({ ...offer, autoGroups: [] }, 'auto')).toEqual(['unpriced'])
})

test('whoever never chose a model gets the first that talks', () => {
  const modelsFor = (offered: string[]) => withExistingModel(initialSettings, offered).models
  expect(modelsFor(['text-embedding-3-small', 'qwen-max', 'qwen-plus'])).toEqual(['qwen-max'])
  expect(modelsFor(['whisper-1'])).toEqual(['whisper-1'])
  expect(modelsFor(['qwen-max', ...initialSettings.models])).toEqual([...initialSettings.models])
})
