import { expect, test } from 'bun:test'
import {
  countLatency,
  firstColumns,
  latencyColumns,
  noLatencies,
  percentile,
  tookColumns,
} from './latency-buckets.ts'

function bucketOf(ms: number): number {
  const counts = noLatencies()
  countLatency(counts, ms, undefined)
  return counts.indexOf(1)
}

test.each([
  [0, 0],
  [-5, 0],
  [Number.NaN, 0],
  [99.9, 0],
  [100, 1],
  [199, 1],
  [200, 2],
  [399, 2],
  [51_199, 9],
  [51_200, 10],
  [102_399, 10],
  [102_400, 11],
  [Number.MAX_SAFE_INTEGER, 11],
  [Number.POSITIVE_INFINITY, 11],
])('%d ms fall into bucket %d', (ms, bucket) => {
  expect(bucketOf(ms)).toBe(bucket)
})

test('both times stand beside each other, in the order of the columns', () => {
  const counts = noLatencies()
  countLatency(counts, 150, 90)
  countLatency(counts, undefined, 450)
  const named = Object.fromEntries(latencyColumns.map(({ name }, at) => [name, counts[at]]))
  expect([named.took_1, named.first_0, named.first_3]).toEqual([1, 1, 1])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(latencyColumns).toHaveLength(tookColumns.length + firstColumns.length)
})

test('a percentile lies where its share of the answers ends', () => {
  expect(percentile([], 0.5)).toBeNull()
  expect(percentile([0, 0, 0], 0.5)).toBeNull()
  expect(percentile([10, 0, 0], 0.5)).toBe(50)
  expect(percentile([0, 10, 0], 1)).toBe(200)
  expect(percentile([5, 0, 5], 0.5)).toBe(100)
  expect(percentile([5, 0, 5], 0.95)).toBe(373)
  expect(percentile([...new Array<number>(11).fill(0), 4], 0.5)).toBe(144_815)
})
