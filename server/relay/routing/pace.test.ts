import { expect, test } from 'bun:test'
import { FAILURE_MS, Pace } from './pace.ts'

const MINUTE = 60_000

function paceOf(...measures: readonly number[]): Pace {
  const pace = new Pace()
  for (const ms of measures) pace.measured(ms, 0)
  return pace
}

test('what was never measured is asked at once, by one request at a time', () => {
  const pace = new Pace()
  expect(pace.expected(0)).toBe(0)
  pace.waiting++
  expect(pace.expected(0)).toBe(FAILURE_MS * 2)
  pace.waiting--
  expect(pace.expected(0)).toBe(0)
})

test('it rises at once, though one answer does not make it more than four times as slow, and falls bit by bit', () => {
  expect(paceOf(100).expected(0)).toBe(100)
  expect(paceOf(100, 300).expected(0)).toBe(300)
  expect(paceOf(100, 30_000).expected(0)).toBe(400)
  expect(paceOf(100, 30_000, 30_000, 30_000, 30_000).expected(0)).toBe(25_600)
  expect(paceOf(1000, 100).expected(0)).toBeCloseTo(730)
  const falling = paceOf(1000, ...Array.from({ length: 30 }, () => 100)).expected(0)
  expect(falling).toBeGreaterThan(100)
  expect(falling).toBeLessThan(101)
})

test('what is old counts for less: it is looked at again, and then the new measure counts', () => {
  const pace = paceOf(1000)
  expect(pace.expected(MINUTE)).toBe(500)
  expect(pace.expected(10 * MINUTE)).toBeLessThan(1)
  pace.measured(100, 10 * MINUTE)
  expect(pace.expected(10 * MINUTE)).toBeWithin(100, 101)
  const slow = paceOf(1000)
  slow.measured(1000, 10 * MINUTE)
  expect(slow.expected(10 * MINUTE)).toBe(1000)
})

test('those who wait make it longer for the next, by the share of each', () => {
  const pace = paceOf(100)
  pace.waiting = 3
  expect([pace.expected(0), pace.expected(0, 3), pace.expected(0, 0.5)]).toEqual([400, 200, 700])
})

test('a failure is slow however quick it was, and slower than anything that succeeded', () => {
  const pace = new Pace()
  pace.failed(3, 0)
  expect(pace.expected(0)).toBe(FAILURE_MS)
  const thinker = paceOf(20_000)
  thinker.failed(5, 0)
  expect(thinker.expected(0)).toBe(40_000)
  const quick = paceOf(200)
  quick.failed(5, 0)
  expect(quick.expected(0)).toBe(800)
  for (let time = 0; time < 50; time++) quick.failed(5, 0)
  expect(quick.expected(0)).toBe(600_000)
})

test('who gives up tells how long it takes at least', () => {
  const pace = paceOf(2000)
  pace.gaveUp(1500, 0)
  expect(pace.expected(0)).toBe(2000)
  pace.gaveUp(5000, 0)
  expect(pace.expected(0)).toBe(5000)
  const unmeasured = new Pace()
  unmeasured.gaveUp(999, 0)
  expect(unmeasured.expected(0)).toBe(0)
  unmeasured.gaveUp(3000, 0)
  expect(unmeasured.expected(0)).toBe(3000)
})

test('an answer of no time at all can still become a slow one', () => {
  const pace = paceOf(0, 5000, 5000, 5000, 5000, 5000, 5000, 5000)
  expect(pace.expected(0)).toBe(5000)
})
