import { expect, test } from 'bun:test'
import { isWindowOver, windowEnd } from './window.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 18, 4) / 1000

test.each([
  ['five-hours', 3 * DAY],
  ['day', 4 * DAY],
  ['seven-days', 9 * DAY],
  ['week', 16 * DAY],
  ['month', 64 * DAY],
] as const)(
  'a window of %s runs to its end, and none of a clock that was ahead outlives that',
  (period, ahead) => {
    const end = windowEnd(period, NOW)
    expect(isWindowOver(period, end, NOW)).toBe(false)
    expect(isWindowOver(period, end, end - 1)).toBe(false)
    expect(isWindowOver(period, end, end)).toBe(true)
    expect(isWindowOver(period, windowEnd(period, NOW + ahead), NOW)).toBe(true)
  },
)

test('no window begins anew for a node whose clock is some hours behind', () => {
  for (const period of ['five-hours', 'day', 'seven-days', 'week', 'month'] as const)
    for (let at = NOW; at < NOW + 400 * DAY; at += 5 * HOUR)
      expect(isWindowOver(period, windowEnd(period, at), at - 20 * HOUR)).toBe(false)
})

test('what has no period is never over', () => {
  expect(isWindowOver('none', windowEnd('none', NOW), NOW)).toBe(false)
})
