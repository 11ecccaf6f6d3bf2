import { expect, test } from 'bun:test'
import { secondsLeft } from './use-countdown.ts'

test('a wait is counted in whole seconds, never below nothing and never above itself', () => {
  expect(secondsLeft(30_000, 0, 30)).toBe(30)
  expect(secondsLeft(30_000, 1, 30)).toBe(30)
  expect(secondsLeft(30_000, 29_001, 30)).toBe(1)
  expect(secondsLeft(30_000, 30_000, 30)).toBe(0)
  expect(secondsLeft(0, 99_000, 30)).toBe(0)
  expect(secondsLeft(90_000, 0, 30)).toBe(30)
})
