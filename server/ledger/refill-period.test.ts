import { afterAll, expect, test } from 'bun:test'
import { nextRefill } from './refill-period.ts'

const zone = process.env.TZ
afterAll(() => {
  process.env.TZ = zone ?? 'UTC'
})

const seconds = (iso: string): number => Date.parse(iso) / 1000

test.each([
  // Monday the 16th, in the afternoon and at the very moment when it begins.
  ['UTC', '2026-11-16T15:46:00Z', '2026-11-17T00:00Z', '2026-11-23T00:00Z', '2026-12-01T00:00Z'],
  ['UTC', '2026-11-16T00:00:00Z', '2026-11-17T00:00Z', '2026-11-23T00:00Z', '2026-12-01T00:00Z'],
  // Sunday, the last second of a week; and the last of a year.
  ['UTC', '2026-11-22T23:59:59Z', '2026-11-23T00:00Z', '2026-11-23T00:00Z', '2026-12-01T00:00Z'],
  ['UTC', '2026-12-31T23:59:59Z', '2027-01-01T00:00Z', '2027-01-04T00:00Z', '2027-01-01T00:00Z'],
  ['UTC', '2028-02-28T12:00:00Z', '2028-02-29T00:00Z', '2028-03-06T00:00Z', '2028-03-01T00:00Z'],
  // Already the next day there.
  ['Asia/Shanghai', '2026-11-22T16:00:00Z', '2026-11-23T16:00Z', '2026-11-29T16:00Z', '2026-11-30T16:00Z'],
  // The days on which an hour is left out, and comes twice.
  ['America/New_York', '2026-03-08T12:00Z', '2026-03-09T04:00Z', '2026-03-09T04:00Z', '2026-04-01T04:00Z'],
  ['America/New_York', '2026-11-01T12:00Z', '2026-11-02T05:00Z', '2026-11-02T05:00Z', '2026-12-01T05:00Z'],
])('in %s, at %s', (place, at, day, week, month) => {
  process.env.TZ = place
  const ends = (['day', 'week', 'month'] as const).map(period => nextRefill(period, seconds(at)))
  expect(ends).toEqual([day, week, month].map(seconds))
  expect(nextRefill('none', seconds(at))).toBe(0)
})
