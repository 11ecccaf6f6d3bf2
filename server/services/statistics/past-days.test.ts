import { expect, test } from 'bun:test'
import { Calendar } from './calendar.ts'
import { PastDays, type Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const MIDNIGHT = 1_700_006_400

/** Every hour has one row in the books; what is loaded sums them by the day. */
function openBooks(shift = 0) {
  const late = new Map<number, number>()
  const loaded: Span[] = []
  const past = new PastDays<{ time: number; hours: number }>()
  const load = async (span: Span) => {
    loaded.push(span)
    const days = new Map<number, number>()
    for (let hour = Math.ceil(span.from / HOUR) * HOUR; hour < span.before; hour += HOUR) {
      const day = hour - ((hour + shift) % DAY)
      days.set(day, (days.get(day) ?? 0) + 1 + (late.get(hour) ?? 0))
    }
    return [...days].map(([time, hours]) => ({ time, hours }))
  }
  const read = async (window: Span, now: number, most?: number) => {
    loaded.length = 0
    const options = { now, calendar: Calendar.withShift(shift), ...(most !== undefined && { most }) }
    const rows = await past.read('all', window, options, load)
    return rows.reduce((sum, { hours }) => sum + hours, 0)
  }
  return { read, loaded, late }
}

test.each([0, 8 * HOUR, -5.5 * HOUR])(
  'days that are over are read once, this hour always (shift %d)',
  async shift => {
    const { read, loaded } = openBooks(shift)
    const now = MIDNIGHT + 10 * HOUR + 900
    const window = { from: MIDNIGHT - 12 * DAY + 3 * HOUR, before: now + 1 }
    const all = 12 * 24 + 11 - 3
    expect(await read(window, now)).toBe(all)
    expect(loaded.length).toBeGreaterThan(2)
    expect(await read(window, now + 30)).toBe(all)
    expect(loaded).toEqual([{ from: MIDNIGHT + 10 * HOUR, before: now + 1 }])
    // An hour later that hour is over too.
    expect(await read({ ...window, before: now + HOUR + 1 }, now + HOUR)).toBe(all + 1)
  },
)

test('what came late is seen after a while, sooner where it was yesterday', async () => {
  const { read, late } = openBooks()
  const now = MIDNIGHT + 2 * HOUR
  const window = { from: MIDNIGHT - 30 * DAY, before: MIDNIGHT }
  expect(await read(window, now)).toBe(30 * 24)
  late.set(MIDNIGHT - HOUR, 5)
  late.set(MIDNIGHT - 30 * DAY, 100)
  expect(await read(window, now + 60)).toBe(30 * 24)
  expect(await read(window, now + 1800)).toBe(30 * 24 + 5)
  expect(await read(window, now + 2 * DAY)).toBe(30 * 24 + 105)
})

test('what was read while a clock was ahead is read again once that is set back', async () => {
  const { read, late } = openBooks()
  const day = { from: MIDNIGHT, before: MIDNIGHT + DAY }
  expect(await read(day, MIDNIGHT + 3 * DAY)).toBe(24)
  late.set(MIDNIGHT + 20 * HOUR, 5)
  expect(await read(day, MIDNIGHT + DAY + HOUR)).toBe(24 + 5)
})

test('what was cut off is not kept', async () => {
  const { read, loaded } = openBooks()
  const window = { from: MIDNIGHT - 4 * DAY, before: MIDNIGHT }
  await read(window, MIDNIGHT + DAY, 4)
  await read(window, MIDNIGHT + DAY, 4)
  expect(loaded).toEqual([window])
})
