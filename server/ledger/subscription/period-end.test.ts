import { expect, test } from 'bun:test'
import type { RefillPeriod } from '../../../contract/tokens.ts'
import { endOf, periodEnd } from './period-end.ts'

const at = (text: string): number => new Date(text).getTime() / 1000
const text = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

test('months end on the same day, or on their last; bought again, they are counted from the first', () => {
  const start = at('2027-01-31T23:50:00')
  const month = { count: 1, unit: 'month' as const }
  expect(text(endOf(start, month))).toBe('2027-02-28 23:50')
  expect(text(endOf(start, month, 2))).toBe('2027-03-31 23:50')
  expect(text(endOf(start, { count: 12, unit: 'month' }))).toBe('2028-01-31 23:50')
  expect(text(endOf(start, { count: 30, unit: 'day' }))).toBe('2027-03-02 23:50')
})

test.each<[RefillPeriod, number]>([
  ['day', 30],
  ['week', 5],
  ['month', 1],
  ['none', 1],
])('a plan of thirty days that renews by the %s has %i periods, and no time in none', (period, count) => {
  const starts_at = at('2027-03-13T23:50:10')
  const ends_at = endOf(starts_at, { count: 30, unit: 'day' })
  const ends: number[] = []
  for (let now = starts_at; now < ends_at; now = ends.at(-1) ?? 0) {
    const end = periodEnd({ starts_at, ends_at, period }, now)
    expect(end).toBeGreaterThan(now)
    expect(periodEnd({ starts_at, ends_at, period }, end - 1)).toBe(end)
    ends.push(end)
  }
  expect(ends).toHaveLength(count)
  expect(ends.at(-1)).toBe(ends_at)
})
