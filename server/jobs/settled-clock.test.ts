import { expect, test } from 'bun:test'
import { settledClock } from './settled-clock.ts'

test.each([31_536_000, -31_536_000])('a clock that leaps by %d is believed once it has stayed so', jump => {
  const clock = { at: 100_000_000, ms: 0 }
  const settled = settledClock(
    () => clock.at,
    () => clock.ms,
  )
  const after = (seconds: number, by = 0): boolean => {
    clock.at += seconds + by
    clock.ms += seconds * 1000
    const told = settled()
    expect(told === undefined || told === clock.at).toBe(true)
    return told !== undefined
  }
  // A glitch passes; small corrections are followed, however many.
  expect([after(60), after(2, jump), after(800), after(2, -jump), after(2)]).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
  for (let at = 0; at < 20; at++) expect(after(2, Math.sign(jump) * 4)).toBe(true)
  // A second one begins to count anew.
  expect([after(2, jump), after(890), after(2, 3600), after(890), after(20)]).toEqual([
    ...[false, false, false, false],
    true,
  ])
  expect(after(2)).toBe(true)
})

test('a machine that sleeps every few minutes is told the time too, though the clock has leapt', () => {
  const clock = { at: 100_000_000, ms: 0 }
  const settled = settledClock(
    () => clock.at,
    () => clock.ms,
  )
  const told: boolean[] = []
  for (let at = 0; at < 10; at++) {
    clock.at += 600 + (at === 0 ? 100 * 86_400 : 3600)
    clock.ms += 600_000
    told.push(settled() !== undefined)
  }
  expect(told.indexOf(true)).toBe(6)
})

test('a machine that was at rest for weeks is believed at once', () => {
  const clock = { at: 100_000_000, ms: 0 }
  const settled = settledClock(
    () => clock.at,
    () => clock.ms,
  )
  clock.at += 60 * 86_400
  clock.ms += 1000
  expect(settled()).toBe(clock.at)
})
