import { describe, expect, test } from 'bun:test'
import type { TokenUsage } from '../../dialects/spec.ts'
import { asCharged } from './charge-usage.ts'

describe('each token is charged once, as what it is', () => {
  const table: [string, TokenUsage, ReturnType<typeof asCharged>][] = [
    [
      'all kinds',
      {
        ...{
          input: 1000,
          cacheRead: 500,
          cacheWrite: 200,
          cacheWriteHour: 50,
          audioInput: 100,
          imageInput: 30,
        },
        ...{ output: 90, audioOutput: 40, reasoning: 20 },
      },
      {
        ...{
          input: 170,
          cacheRead: 500,
          cacheWrite: 150,
          cacheWriteHour: 50,
          audioInput: 100,
          imageInput: 30,
        },
        ...{ output: 50, audioOutput: 40 },
      },
    ],
    [
      'sound that the cache had as well',
      { input: 100, cacheRead: 80, audioInput: 60, output: 0 },
      { input: 0, cacheRead: 80, audioInput: 20, output: 0 },
    ],
    [
      'pictures among what was written to the cache',
      { input: 100, cacheWrite: 70, imageInput: 90, output: 0 },
      { input: 0, cacheWrite: 70, imageInput: 30, output: 0 },
    ],
    [
      'more written than there is beside what was read',
      { input: 100, cacheRead: 60, cacheWrite: 60, cacheWriteHour: 60, output: 0 },
      { input: 0, cacheRead: 60, cacheWriteHour: 40, output: 0 },
    ],
    [
      'sound and pictures that are more than all',
      { input: 10, audioInput: 8, imageInput: 8, output: 5, audioOutput: 9 },
      { input: 0, audioInput: 8, imageInput: 2, output: 0, audioOutput: 5 },
    ],
    [
      'searches no model makes',
      { input: 1, output: 1, searches: 1e9 },
      { input: 1, output: 1, searches: 1000 },
    ],
  ]
  test.each(table)('%s', (_, told, charged) => expect(asCharged(told)).toEqual(charged))
})
