import { expect, test } from 'bun:test'
import { steadyClock } from './steady-clock.ts'

test('a clock that is set forward does not move it, one that is set back does', () => {
  const clock = { at: 1000, ms: 0 }
  const steady = steadyClock(
    () => clock.at,
    () => clock.ms,
  )
  const after = (seconds: number, jump = 0): number => {
    clock.at += seconds + jump
    clock.ms += seconds * 1000
    return steady()
  }
  expect([after(0), after(60), after(60, 3600), after(60, -3600), after(60, -3600)]).toEqual([
    1000,
    1060,
    1120,
    1180,
    1240 - 3600,
  ])
})
