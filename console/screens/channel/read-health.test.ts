import { expect, test } from 'bun:test'
import { readHealth } from './read-health.ts'

test('hours are put in their places, and those outside the day left out', () => {
  const now = 1_000 * 3600 + 5
  const row = (hour: number, requests: number, errors = 0) => ({
    time: hour * 3600,
    key: '7',
    requests,
    errors,
  })
  const hours = readHealth([row(1000, 5, 1), row(977, 3), row(976, 9), row(1001, 9)], now).get(7)
  expect(hours).toHaveLength(24)
  expect(hours?.at(-1)).toEqual({ requests: 5, errors: 1 })
  expect(hours?.[0]).toEqual({ requests: 3, errors: 0 })
  expect(hours?.reduce((sum, { requests }) => sum + requests, 0)).toBe(8)
})
