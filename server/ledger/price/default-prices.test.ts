import { describe, expect, test } from 'bun:test'
import { builtInPrices, releaseOf } from './built-in-prices.ts'
import { cost, highestCost } from './cost.ts'
import { pricePerCall, pricePerMillionTokens, vendors } from './default-prices.ts'
import { PriceBook } from './price-book.ts'

const book = new PriceBook({
  ModelPrice: {},
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  LongInputRatio: {},
  LongOutputRatio: {},
  LongInputFrom: {},
  WebSearchPrice: {},
  ToolPrice: {},
  InferenceGeoRatio: 1.1,
  GroupRatio: { default: 1 },
  GroupGroupRatio: {},
  DefaultModelRatio: 0,
  QuotaPerUnit: 500_000,
})
const MILLION = 1_000_000
const quota = (dollars: number): number => Math.round(dollars * 500_000)

const TENTH = MILLION / 10

/** Vendors' list prices for a million tokens; of which a tenth is no long input. */
test.each([
  ['gpt-4o', 2.5, 10],
  ['gpt-4o-mini', 0.15, 0.6],
  ['gpt-4o-2024-05-13', 5, 15],
  ['gpt-4o-2024-11-20', 2.5, 10],
  ['gpt-5', 1.25, 10],
  ['gpt-5.4-nano', 0.2, 1.25],
  ['o3', 2, 8],
  ['claude-opus-4-5', 5, 25],
  ['claude-sonnet-4-5-20250929', 3, 15],
  ['claude-3-haiku-20240307', 0.25, 1.25],
  ['gemini-2.5-pro', 1.25, 10],
  ['gemini-2.0-flash-lite', 0.075, 0.3],
  ['deepseek-chat', 0.28, 0.42],
  ['deepseek-r1', 0.55, 2.19],
  ['deepseek-v3', 0.27, 1.1],
  ['qwen3-vl-32b-thinking', 0.16, 2.87],
  ['@cf/meta/llama-3.2-3b-instruct', 0.0509, 0.335],
  ['@cf/deepseek-ai/deepseek-r1-distill-qwen-32b', 0.497, 4.881],
  ['grok-4-0709', 3, 15],
  ['glm-4.5-x', 2.2, 8.9],
  ['kimi-k2-thinking-turbo', 1.15, 8],
])('%s costs %p and %p dollars', (model, input, output) => {
  const snapshot = book.snapshot(model, 'default')
  expect(cost(snapshot, { input: TENTH })).toBe(quota(input / 10))
  expect(cost(snapshot, { output: TENTH })).toBe(quota(output / 10))
  expect(cost(snapshot, { input: TENTH, output: TENTH })).toBe(quota(input / 10) + quota(output / 10))
})

test.each<[string, Parameters<typeof cost>[1], number]>([
  ['claude-sonnet-4-6', { cacheRead: MILLION }, 0.3],
  ['claude-sonnet-4-6', { cacheWrite: MILLION }, 3.75],
  ['claude-sonnet-4-6', { cacheWriteHour: MILLION }, 6],
  ['claude-sonnet-4-5', { input: 200_000, output: MILLION }, 15.6],
  ['claude-sonnet-4-5', { input: 200_001, output: MILLION }, 23.700_006],
  ['claude-sonnet-4-5-20250929', { input: MILLION, output: MILLION }, 28.5],
  ['claude-sonnet-4-5', { cacheRead: MILLION }, 0.6],
  ['claude-sonnet-4-5', { cacheWrite: 100_000, cacheWriteHour: 100_000, input: 1 }, 1.950_006],
  ['gemini-2.5-pro', { input: 100_000, cacheRead: 100_000, output: 10_000 }, 0.2375],
  ['gemini-2.5-pro', { input: 100_000, cacheRead: 100_001, output: 10_000 }, 0.425_000_25],
  ['gemini-2.5-pro', { audioInput: 400_000, output: 10_000 }, 1.15],
  ['gemini-3-pro-preview', { input: MILLION, output: MILLION }, 22],
  ['grok-4.5', { input: MILLION, output: MILLION }, 16],
  ['gpt-6.1-sol', { input: 272_000, output: 10_000 }, 0.644],
  ['gpt-6.1-sol', { input: 272_001, output: 10_000 }, 1.238_004],
  ['gpt-6.1-sol-2026-09-29', { input: 100_000, cacheRead: 172_001 }, 0.434_400_2],
  ['gpt-6.1-sol', { cacheRead: 200_000, cacheWrite: 72_000, output: 1000 }, 0.21],
  ['gpt-6.1-sol', { cacheRead: 200_000, cacheWrite: 72_000, input: 1, output: 1000 }, 0.415_004],
  ['gpt-6-astra', { input: MILLION, output: MILLION }, 95],
  ['gpt-6-luna', { cacheWriteHour: MILLION }, 0.4],
  ['gpt-5.4', { input: 250_000 }, 0.625],
  ['gpt-5.4-mini', { input: MILLION, output: MILLION }, 5.25],
  ['claude-haiku-5-5', { input: 50_000, cacheRead: 50_000, output: 2000 }, 0.0065],
  ['claude-haiku-5-5', { input: 50_000, cacheRead: 50_000, cacheWrite: 4, output: 2000 }, 0.032_502_5],
  ['claude-opus-5-5', { input: MILLION, cacheRead: MILLION, cacheWriteHour: MILLION }, 12.2],
  ['MiniMax-M3', { input: 512_000 }, 0.1536],
  ['MiniMax-M3', { input: 512_001 }, 0.307_200_6],
  ['grok-4.7', { input: 200_001 }, 0.800_004],
  ['claude-3-haiku-20240307', { cacheRead: MILLION }, 0.03],
  ['deepseek-v4-pro', { cacheRead: MILLION }, 0.044],
  ['deepseek-v3', { cacheWrite: MILLION }, 0.27],
  ['gpt-4o-audio-preview', { audioInput: MILLION }, 40],
  ['gpt-4o-audio-preview', { audioOutput: MILLION }, 80],
  ['gpt-4o-mini-tts', { audioOutput: MILLION }, 12],
  ['gemini-2.5-flash', { audioInput: MILLION }, 1],
  ['gemini-2.5-flash', { audioOutput: MILLION }, 2.5],
  ['gpt-realtime', { imageInput: MILLION }, 5],
  ['gpt-image-1', { imageInput: MILLION, output: MILLION }, 50],
  ['text-embedding-3-small', { input: MILLION }, 0.02],
  ['tts-1-hd', { input: MILLION }, 30],
  ['whisper-1', { input: 1000 }, 0.006],
  ['dall-e-3', {}, 0.04],
  ['imagen-4.0-ultra-generate-001', { calls: 4 }, 0.24],
  ['veo-3.1-generate-preview', { calls: 8 }, 3.2],
  ['rerank-v3.5', {}, 0.002],
  ['mj_imagine', {}, 0.1],
  ['mj_upscale', {}, 0.05],
  ['mj_inpaint', {}, 0],
  ['swap_face', {}, 0.05],
  ['suno_music', {}, 0.1],
  ['suno_lyrics', {}, 0.01],
])('%s for %j costs %d dollars', (model, usage, dollars) => {
  expect(cost(book.snapshot(model, 'default'), usage)).toBe(quota(dollars))
})

test('what is held covers long input from the first token that makes it long', () => {
  const snapshot = book.snapshot('gpt-6.1-sol', 'default')
  const holdFor = (inputAtMost: number) =>
    highestCost(snapshot, { inputAtMost, outputAtMost: 1000, cacheWrites: 'none' })
  expect(holdFor(272_000)).toBe(272_000 + 5000)
  expect(holdFor(272_001)).toBe(2 * 272_001 + 7500)
  expect(holdFor(272_001)).toBe(cost(snapshot, { input: 272_001, output: 1000 }))
})

test('where input is long says something only of a model that has a price for it', () => {
  for (const [model, { longIn, longFrom }] of Object.entries(pricePerMillionTokens))
    expect([model, longFrom === undefined || longIn !== undefined]).toEqual([model, true])
})

test('no model is in both tables, and no figure is missing or negative', () => {
  expect(Object.keys(pricePerCall).filter(model => Object.hasOwn(pricePerMillionTokens, model))).toEqual([])
  for (const price of Object.values(pricePerMillionTokens)) {
    expect(price.in).toBeGreaterThan(0)
    for (const figure of Object.values(price)) expect(figure).toBeGreaterThanOrEqual(0)
  }
  expect(builtInPrices.size).toBe(
    Object.keys(pricePerCall).length + Object.keys(pricePerMillionTokens).length,
  )
})

test('a dated release stands in the table only where it differs', () => {
  const repeated = Object.keys(pricePerMillionTokens).filter(model => {
    const plain = releaseOf(model)
    return plain !== undefined && Bun.deepEquals(pricePerMillionTokens[plain], pricePerMillionTokens[model])
  })
  expect(repeated).toEqual([])
})

describe('a name with a date is a release of the name before it', () => {
  test.each([
    ['gpt-4o-2024-11-20', 'gpt-4o'],
    ['gpt-4o-20241120', 'gpt-4o'],
    ['gpt-4o-latest', 'gpt-4o'],
    ['gpt-4-0613', 'gpt-4'],
    ['gpt-4-turbo-2024-04-09', 'gpt-4-turbo'],
    ['command-r-plus-08-2024', 'command-r-plus'],
    ['open-mistral-nemo-2407', 'open-mistral-nemo'],
    ['doubao-seed-2-0-pro-260215-latest', 'doubao-seed-2-0-pro-260215'],
    ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['gpt-4o-2024-13-20', undefined],
    ['gpt-4o-2024-11-32', undefined],
    ['gpt-4o-9999', undefined],
    ['gpt-4o-1', undefined],
    ['gpt-4o-ultra', undefined],
    ['gpt-4o-mini-ultra', undefined],
    ['gpt-4o2024-11-20', undefined],
    ['gpt-4o-', undefined],
    ['gpt-4o-latest-latest', undefined],
    ['unheard-of-2024-11-20', undefined],
    ['-latest', undefined],
  ])('%s: %p', (model, plain) => {
    expect(releaseOf(model)).toBe(plain as string)
  })
})

test('no model stands at two vendors, where the later would hide the earlier', () => {
  const names = vendors.flatMap(({ tokens = {}, calls = {} }) => [
    ...Object.keys(tokens),
    ...Object.keys(calls),
  ])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
