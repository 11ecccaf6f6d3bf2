import { describe, expect, test } from 'bun:test'
import { axisLabels } from './axis-labels.ts'
import { bucketsOf, nameBucket, readPeriod, stretchOf } from './period.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** A Wednesday. */
const NOON = Date.UTC(2026, 10, 11, 12, 34, 56) / 1000
const now = new Date(NOON * 1000)
const thisHour = NOON - 34 * 60 - 56

describe('what is looked at', () => {
  test('is a day by hours where hours are usual, up to the hour that has begun', () => {
    const period = readPeriod({}, 'hour', now)
    expect(period).toMatchObject({ span: '24h', unit: 'hour', units: ['hour'] })
    expect(period.buckets).toEqual(Array.from({ length: 24 }, (_, at) => thisHour - (23 - at) * HOUR))
    expect(period.to).toBe(thisHour + HOUR - 1)
    expect(period.previous).toEqual({ from: period.from - DAY, to: period.to - DAY })
  })

  test.each([
    ['day', '7d', 'day', 7],
    ['week', '30d', 'week', 5],
    ['nonsense', '24h', 'hour', 24],
  ] as const)('follows the setting %s', (usual, span, unit, count) => {
    const period = readPeriod({}, usual, now)
    expect([period.span, period.unit]).toEqual([span, unit])
    expect(Math.abs(period.buckets.length - count)).toBeLessThanOrEqual(1)
  })

  test('is compared with as much of the time before', () => {
    const { from, to, previous } = readPeriod({ span: '7d' }, 'day', now)
    expect([from - previous.from, to - previous.to]).toEqual([7 * DAY, 7 * DAY])
  })

  test('is what the address names, in whole hours, and never ends before it begins', () => {
    const named = readPeriod({ start: NOON - 3 * DAY, end: NOON - 2 * DAY + 60 }, 'day', now)
    expect(named).toMatchObject({ span: undefined, unit: 'hour' })
    expect([named.from % HOUR, (named.to + 1) % HOUR]).toEqual([0, 0])
    const reversed = readPeriod({ start: NOON, end: NOON - DAY }, 'hour', now)
    expect(reversed.buckets).toHaveLength(1)
    const endless = readPeriod({ start: 1 }, 'hour', now)
    expect([endless.unit, endless.to + 1 - endless.from]).toEqual(['week', 400 * DAY])
    expect(readPeriod({ start: NOON + 5 * DAY }, 'hour', now).buckets).toHaveLength(1)
  })

  test('is not cut so finely that nothing could be told apart', () => {
    expect(readPeriod({ span: '30d', unit: 'hour' }, 'hour', now)).toMatchObject({
      unit: 'day',
      units: ['day', 'week'],
    })
    expect(readPeriod({ span: '7d', unit: 'hour' }, 'day', now).units).toEqual(['hour', 'day'])
  })
})

test.each([0, 480, -330])('days and weeks begin where the reader is (%d minutes)', offset => {
  const days = bucketsOf({ from: NOON - 2 * DAY, to: NOON }, 'day', offset)
  expect(days.map(day => (day + offset * 60) % DAY)).toEqual(days.map(() => 0))
  expect([(days[0] ?? 0) <= NOON - 2 * DAY, (days.at(-1) ?? 0) <= NOON]).toEqual([true, true])
  expect((days.at(-1) ?? 0) + DAY).toBeGreaterThan(NOON)
  const [week = 0] = bucketsOf({ from: NOON, to: NOON + 1 }, 'week', offset)
  expect(new Date((week + offset * 60) * 1000).getUTCDay()).toBe(1)
})

test('the first and the last bucket are cut to the period', () => {
  const period = { from: 100, to: 3600 + 50, unit: 'hour' } as const
  expect(stretchOf(0, period)).toEqual({ from: 100, to: 3599 })
  expect(stretchOf(3600, period)).toEqual({ from: 3600, to: 3650 })
})

test('names on the axis have room, and midnight shows its day', () => {
  const offset = 480
  const buckets = bucketsOf({ from: NOON - 7 * DAY, to: NOON }, 'hour', offset)
  const labels = axisLabels({ buckets, unit: 'hour', offset }, 560)
  expect(labels.length).toBeLessThanOrEqual(10)
  expect(labels.map(({ text }) => text)).toContain('11-11')
  expect(axisLabels({ buckets: buckets.slice(-24), unit: 'hour', offset }, 2000)).toHaveLength(24)
  expect(nameBucket(thisHour, { unit: 'hour', offset }, true)).toBe('11-11 20:00')
  expect(nameBucket(Date.UTC(2026, 10, 9) / 1000, { unit: 'week', offset: 0 }, true)).toBe('11-09 – 11-15')
})
