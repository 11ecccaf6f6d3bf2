import { expect, test } from 'bun:test'
import { formatSeconds, toneOfFirstToken, toneOfUseTime } from './latency.ts'

test('times are coloured by the same limits everywhere', () => {
  expect([0, 100, 101, 299, 300].map(toneOfUseTime)).toEqual(['green', 'green', 'orange', 'orange', 'red'])
  expect([1, 2999, 3000, 9999, 10_000].map(toneOfFirstToken)).toEqual([
    'green',
    'green',
    'orange',
    'orange',
    'red',
  ])
  expect([16, 812, 1249].map(formatSeconds)).toEqual(['0.02 s', '0.8 s', '1.2 s'])
})
