import { afterEach, describe, expect, test } from 'bun:test'
import { axisLabels } from './axis-labels.ts'
import { bucketsOf, nameBucket, readPeriod, stretchOf } from './period.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** A Wednesday. */
const NOON = Date.UTC(2026, 10, 11, 12, 34, 56) / 1000
const now = new Date(NOON * 1000)
const thisHour = NOON - 34 * 60 - 56

const zone = process.env.TZ
afterEach(() => {
  process.env.TZ = zone ?? 'UTC'
})

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

test.each(['UTC', 'Asia/Shanghai', 'America/St_Johns', 'Pacific/Apia'])(
  'days and weeks begin where the reader is (%s)',
  place => {
    process.env.TZ = place
    const days = bucketsOf({ from: NOON - 2 * DAY, to: NOON }, 'day')
    expect(days.map(day => new Date(day * 1000).getHours())).toEqual(days.map(() => 0))
    expect([(days[0] ?? 0) <= NOON - 2 * DAY, (days.at(-1) ?? 0) <= NOON]).toEqual([true, true])
    expect((days.at(-1) ?? 0) + DAY).toBeGreaterThan(NOON)
    const [week = 0] = bucketsOf({ from: NOON, to: NOON + 1 }, 'week')
    expect(new Date(week * 1000).getDay()).toBe(1)
  },
)

describe('where clocks are put back on the first of November, and forward on the 8th of March', () => {
  const seconds = (iso: string) => Date.parse(iso) / 1000

  test.each([
    ['2026-11-01T15:10:00Z', '2026-10-26T04:00Z'],
    ['2026-11-04T15:10:00Z', '2026-10-29T04:00Z'],
    ['2026-03-08T15:10:00Z', '2026-03-02T05:00Z'],
    ['2026-03-11T15:10:00Z', '2026-03-05T05:00Z'],
  ])('seven days are seven, from midnight to midnight (%s)', (at, first) => {
    process.env.TZ = 'America/New_York'
    const period = readPeriod({ span: '7d' }, 'day', new Date(at))
    expect([period.from, period.buckets[0]]).toEqual([seconds(first), seconds(first)])
    expect(period.buckets).toHaveLength(7)
    expect(new Set(period.buckets.map(bucket => new Date(bucket * 1000).getHours()))).toEqual(new Set([0]))
    expect(period.previous.to).toBeLessThan(period.from)
  })

  test('a day has its hours, and a week its days', () => {
    process.env.TZ = 'America/New_York'
    const window = { from: seconds('2026-10-26T04:00Z'), to: seconds('2026-11-08T04:59:59Z') }
    const hoursOf = (bucket: string) =>
      (({ from, to }) => (to + 1 - from) / HOUR)(stretchOf(seconds(bucket), { ...window, unit: 'day' }))
    expect([hoursOf('2026-10-31T04:00Z'), hoursOf('2026-11-01T04:00Z')]).toEqual([24, 25])
    expect(bucketsOf(window, 'week').map(week => nameBucket(week, { unit: 'week' }, true))).toEqual([
      '10-26 – 11-01',
      '11-02 – 11-08',
    ])
    const hours = bucketsOf({ from: seconds('2026-11-01T04:00Z'), to: seconds('2026-11-01T07:59Z') }, 'hour')
    expect(hours.map(hour => nameBucket(hour, { unit: 'hour' }))).toEqual([
      '00:00',
      '01:00',
      '01:00',
      '02:00',
    ])
  })
})

test('an hour that has begun the day before is none of this day', () => {
  process.env.TZ = 'Asia/Kolkata'
  const { from, buckets } = readPeriod({ span: '7d' }, 'day', now)
  expect(new Date(from * 1000).toISOString()).toBe('2026-11-04T19:00:00.000Z')
  expect(new Date((buckets[0] ?? 0) * 1000).toISOString()).toBe('2026-11-04T18:30:00.000Z')
  expect(buckets).toHaveLength(7)
  // Ten minutes after midnight, within an hour that has begun before that.
  const early = readPeriod({ span: '7d' }, 'day', new Date('2026-11-11T18:40:00Z'))
  expect(early.buckets.map(bucket => nameBucket(bucket, early))).toEqual(
    [6, 7, 8, 9, 10, 11, 12].map(day => `11-${String(day).padStart(2, '0')}`),
  )
})

test('the first and the last bucket are cut to the period', () => {
  const period = { from: 100, to: 3600 + 50, unit: 'hour' } as const
  expect(stretchOf(0, period)).toEqual({ from: 100, to: 3599 })
  expect(stretchOf(3600, period)).toEqual({ from: 3600, to: 3650 })
})

test('names on the axis have room, and midnight shows its day', () => {
  process.env.TZ = 'Asia/Shanghai'
  const buckets = bucketsOf({ from: NOON - 7 * DAY, to: NOON }, 'hour')
  const labels = axisLabels({ buckets, unit: 'hour' }, 560)
  expect(labels.length).toBeLessThanOrEqual(10)
  expect(labels.map(({ text }) => text)).toContain('11-11')
  expect(axisLabels({ buckets: buckets.slice(-24), unit: 'hour' }, 2000)).toHaveLength(24)
  expect(nameBucket(thisHour, { unit: 'hour' }, true)).toBe('11-11 20:00')
  expect(nameBucket(Date.UTC(2026, 10, 9) / 1000, { unit: 'week' }, true)).toBe('11-09 – 11-15')
})
