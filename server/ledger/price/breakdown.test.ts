import { expect, test } from 'bun:test'
import { breakdown } from './breakdown.ts'
import type { PriceSnapshot } from './price-snapshot.ts'

const byRatio: PriceSnapshot = {
  kind: 'ratio',
  model: 'm',
  group: 'vip',
  modelRatio: 0.275,
  completionRatio: '219/55',
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWriteHourRatio: 2,
  imageRatio: 3,
  audioRatio: 16,
  audioCompletionRatio: 2,
  groupRatio: 0.5,
}
const plain = { model_ratio: 0.275, model_price: -1, completion_ratio: 219 / 55, group_ratio: 0.5 }

test('text alone needs no more than its ratios', () => {
  // (1,000 + 100 × 219/55) × 0.275 × 0.5
  expect(breakdown(byRatio, { input: 1000, output: 100, cacheRead: 0 })).toEqual({
    quota: 192,
    promptTokens: 1000,
    completionTokens: 100,
    details: plain,
  })
})

test('everything that was used is named with its ratio', () => {
  const usage = {
    input: 1,
    cacheRead: 2,
    cacheWrite: 4,
    cacheWriteHour: 8,
    imageInput: 16,
    audioInput: 32,
    output: 64,
    audioOutput: 128,
  }
  const { promptTokens, completionTokens, details } = breakdown(byRatio, usage)
  expect([promptTokens, completionTokens]).toEqual([63, 192])
  expect(details).toEqual({
    ...plain,
    cache_tokens: 2,
    cache_ratio: 0.1,
    cache_creation_tokens: 4,
    cache_creation_ratio: 1.25,
    cache_creation_tokens_1h: 8,
    cache_creation_ratio_1h: 2,
    image: true,
    image_input: 16,
    image_ratio: 3,
    audio: true,
    text_input: 1,
    text_output: 64,
    audio_input: 32,
    audio_output: 128,
    audio_ratio: 16,
    audio_completion_ratio: 2,
  })
})

test('long input is told with the ratios that were in force for it', () => {
  const long = { over: 200_000, modelRatio: 0.55, completionRatio: 3, audioCompletionRatio: 1 }
  const price = { ...byRatio, long }
  expect(breakdown(price, { input: 100_000, cacheRead: 100_000, output: 100 }).details).toEqual({
    ...plain,
    cache_tokens: 100_000,
    cache_ratio: 0.1,
  })
  // (100,001 + 100,000 × 0.1 + 100 × 3) × 0.55 × 0.5 = 30,332.775
  expect(breakdown(price, { input: 100_001, cacheRead: 100_000, output: 100 })).toMatchObject({
    quota: 30_333,
    details: {
      model_ratio: 0.55,
      completion_ratio: 3,
      group_ratio: 0.5,
      cache_ratio: 0.1,
      long_input_over: 200_000,
    },
  })
})

test('a price per call has no ratios but the group’s', () => {
  const byCall: PriceSnapshot = {
    kind: 'call',
    model: 'm',
    group: 'vip',
    price: 0.04,
    quotaPerUnit: 500_000,
    groupRatio: 0.5,
  }
  const details = { model_ratio: 0, model_price: 0.04, completion_ratio: 0, group_ratio: 0.5 }
  expect(breakdown(byCall, {})).toEqual({ quota: 10_000, promptTokens: 0, completionTokens: 0, details })
  expect(breakdown(byCall, { input: 50, calls: 2 })).toEqual({
    quota: 20_000,
    promptTokens: 50,
    completionTokens: 0,
    details: { ...details, calls: 2 },
  })
})

test('tokens that add up to no exact number are refused', () => {
  const tiny = { ...byRatio, modelRatio: 1e-9 }
  expect(() => breakdown(tiny, { input: Number.MAX_SAFE_INTEGER, cacheRead: 1 })).toThrow('input')
})
