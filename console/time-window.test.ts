import { expect, test } from 'bun:test'
import { windowOf } from './time-window.ts'

test('a window reaches an hour ahead at least, and what is named stays', () => {
  const now = new Date(2026, 10, 15, 13, 20)
  const seconds = now.getTime() / 1000
  const { start, end } = windowOf({}, 'midnight', now)
  expect(start).toBe(new Date(2026, 10, 15).getTime() / 1000)
  expect(end).toBeGreaterThan(seconds + 3600)
  expect(windowOf({}, 'month', now).start).toBeLessThanOrEqual(seconds - 30 * 86_400)
  expect(windowOf({ start: 1, end: 2 }, 'month', now)).toEqual({ start: 1, end: 2 })
})

test('a window may begin so far back from now', () => {
  const now = new Date(2026, 10, 15, 13, 20, 30)
  expect(windowOf({ start: -60 }, 'month', now).start).toBe(now.getTime() / 1000 - 90)
  expect(windowOf({ start: -1e12 }, 'month', now).start).toBe(0)
})
