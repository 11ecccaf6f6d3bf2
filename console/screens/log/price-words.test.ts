import { expect, test } from 'bun:test'
import { sampleRow } from '../../../test/console/sample-log-row.ts'
import { priceWords } from './price-words.ts'

const UNIT = 500_000
const tokens = { model_ratio: 0.075, completion_ratio: 4, group_ratio: 1 }
const said = (other: object, given = { prompt_tokens: 9000, completion_tokens: 310 }) =>
  priceWords(sampleRow({ ...given, other: JSON.stringify(other) }), UNIT)

test('a call by tokens tells its prices, and what made it cheaper or dearer', () => {
  expect(said(tokens)).toBe('每百万 $0.15 / $0.60')
  expect(said({ ...tokens, group_ratio: 1.1400000000000001 })).toBe('每百万 $0.15 / $0.60 · 分组倍率 1.14')
  expect(said({ ...tokens, cache_tokens: 8192, cache_ratio: 0.5 })).toBe(
    '每百万 $0.15 / $0.60 · 缓存读取 8,192',
  )
  expect(said({ ...tokens, batch_ratio: 0.5 })).toBe('每百万 $0.15 / $0.60 · 批处理 0.5')
})

test('what wrote nothing has no price for that', () => {
  expect(said(tokens, { prompt_tokens: 9000, completion_tokens: 0 })).toBe('每百万 $0.15')
})

test('a call with a price of its own tells that, and how many there were', () => {
  expect(said({ model_price: 0.04, group_ratio: 1 })).toBe('每次价格 $0.04')
  expect(said({ model_price: 0.04, group_ratio: 1, calls: 3 })).toBe('每次价格 $0.04 × 3')
})

test('a row without a price says nothing, nor does a batch of several models', () => {
  expect(said({})).toBe('')
  const model = { model: 'a', requests: 1, prompt_tokens: 1, completion_tokens: 1, quota: 1 }
  expect(said({ ...tokens, batch_models: [model] })).toBe('')
})

test('tools that were paid for are told, and no price of what there was none of', () => {
  const tool_fees = [{ name: 'code_interpreter', count: 4, price: 30 }]
  expect(said({ ...tokens, tool_fees })).toBe('每百万 $0.15 / $0.60 · code_interpreter 4')
  const container = { prompt_tokens: 0, completion_tokens: 0 }
  expect(said({ ...tokens, tool_fees }, container)).toBe('code_interpreter 4')
  expect(said({ model_price: 0.04, group_ratio: 1, calls: 0, tool_fees }, container)).toBe(
    'code_interpreter 4',
  )
})

test('a group that pays nothing, and a price that is next to nothing, are told as they are', () => {
  expect(said({ ...tokens, group_ratio: 0 })).toBe('每百万 $0.15 / $0.60 · 分组倍率 0')
  expect(said({ model_price: 0.00000012, group_ratio: 1e-6 })).toBe(
    '每次价格 $0.00000012 · 分组倍率 0.000001',
  )
})
