import { expect, test } from 'bun:test'
import { formatZonedTime, zoneOf } from './zoned-time.ts'

test('a zone is told by how far it is from the middle', () => {
  expect([0, -480, 180, -345, 210].map(zoneOf)).toEqual(['UTC', 'UTC+8', 'UTC-3', 'UTC+5:45', 'UTC-3:30'])
  const time = new Date(2026, 0, 5, 7, 8, 9)
  expect(formatZonedTime(time.getTime() / 1000)).toBe(
    `2026-01-05 07:08:09 ${zoneOf(time.getTimezoneOffset())}`,
  )
})
