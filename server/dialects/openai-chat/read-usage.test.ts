import { expect, test } from 'bun:test'
import type { Json } from '../json.ts'
import type { TokenUsage } from '../spec.ts'
import { readUsage } from './read-usage.ts'
import { writeUsage } from './write-usage.ts'

test('what is written is read as what it was', () => {
  const usage: TokenUsage = {
    input: 100,
    output: 50,
    cacheRead: 30,
    cacheWrite: 20,
    reasoning: 40,
    audioInput: 5,
    audioOutput: 6,
    imageInput: 7,
    imageOutput: 8,
  }
  expect(readUsage(writeUsage(usage))).toEqual(usage)
})

test('the full shape is written whatever is known', () => {
  expect(writeUsage({ input: 9, output: 3 })).toEqual({
    prompt_tokens: 9,
    completion_tokens: 3,
    total_tokens: 12,
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  })
})

test('every place where vendors put what was cached', () => {
  const base = { prompt_tokens: 10, completion_tokens: 2 }
  const table: [Json, Partial<TokenUsage>][] = [
    [{ ...base, cached_tokens: 4 }, { cacheRead: 4 }],
    [{ ...base, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 }, { cacheRead: 4 }],
    [{ ...base, num_cached_tokens: 4 }, { cacheRead: 4 }],
    [
      { ...base, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } },
      { cacheRead: 4, cacheWrite: 3 },
    ],
    [{ ...base, prompt_tokens_details: { cache_creation_input_tokens: 3 } }, { cacheWrite: 3 }],
    [
      { ...base, prompt_tokens_details: { cached_tokens: 4 }, cache_creation_input_tokens: 3 },
      { cacheRead: 4, cacheWrite: 3 },
    ],
    [
      {
        ...base,
        prompt_tokens_details: {
          cache_creation_tokens: 5,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 4 },
        },
      },
      { cacheWrite: 5, cacheWriteHour: 4 },
    ],
    [{ ...base, prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 4 }, { cacheRead: 4 }],
    [{ ...base, prompt_tokens_details: { cached_tokens: 0 } }, { cacheRead: 0 }],
    [{ ...base, prompt_tokens_details: null, completion_tokens_details: [] }, {}],
    [{ prompt_tokens: 10, total_tokens: 10 }, { output: 0 }],
  ]
  for (const [usage, expected] of table)
    expect(readUsage(usage)).toEqual({ input: 10, output: 2, ...expected })
})

test('what a gateway counts beside the prompt is input too', () => {
  const usage = { prompt_tokens: 31, completion_tokens: 467, total_tokens: 498 }
  const written = { prompt_tokens_details: { cached_tokens: 20 }, cache_creation_input_tokens: 1253 }
  expect(readUsage({ ...usage, ...written })).toMatchObject({ input: 1284, cacheRead: 20, cacheWrite: 1253 })
  const within = { prompt_tokens_details: { cached_tokens: 20 }, cache_creation_input_tokens: 11 }
  expect(readUsage({ ...usage, ...within })).toMatchObject({ input: 31, cacheRead: 20, cacheWrite: 11 })
})

test('a part is never more than the whole, and an unusable one is left out', () => {
  expect(
    readUsage({
      prompt_tokens: 10,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 8, audio_tokens: 99 },
      completion_tokens_details: { reasoning_tokens: 99, audio_tokens: -1, image_tokens: '1' },
    }),
  ).toEqual({ input: 10, output: 2, cacheRead: 8, cacheWrite: 2, audioInput: 10, reasoning: 2 })
})

test('half a usage is none', () => {
  const bad = [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '5', null, true, {}, []]
  for (const value of bad) {
    expect(readUsage({ prompt_tokens: value, completion_tokens: 1 })).toBeUndefined()
    expect(readUsage({ prompt_tokens: 1, completion_tokens: value })).toBeUndefined()
  }
  for (const value of [undefined, null, 5, 'x', [], {}, { total_tokens: 5 }])
    expect(readUsage(value)).toBeUndefined()
  expect(readUsage({ prompt_tokens: 5, total_tokens: 4 })).toBeUndefined()
})

test('thoughts that a vendor counts beside the output are charged too', () => {
  const details = { completion_tokens_details: { reasoning_tokens: 320 } }
  const beside = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 361, ...details }
  expect(readUsage(beside)).toMatchObject({ input: 32, output: 329, reasoning: 320 })
  const within = { prompt_tokens: 32, completion_tokens: 329, total_tokens: 361, ...details }
  expect(readUsage(within)).toMatchObject({ input: 32, output: 329, reasoning: 320 })
})

test('who tells how widely it searched has searched, though it counts no question', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 2, search_context_size: 'low' }
  for (const more of [{}, { num_search_queries: 0 }, { num_search_queries: null }])
    expect(readUsage({ ...usage, ...more })).toMatchObject({ searches: 1, searchSize: 'low' })
  expect(readUsage({ ...usage, num_search_queries: 3 })).toMatchObject({ searches: 3 })
})
