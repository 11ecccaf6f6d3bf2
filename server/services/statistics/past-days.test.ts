import { expect, test } from 'bun:test'
import { Calendar } from './calendar.ts'
import { PastDays, type Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const MIDNIGHT = 1_700_006_400

/** Every hour has one row in the books; what is loaded sums them by the day. */
function openBooks(shift = 0, longest = HOUR) {
  const late = new Map<number, number>()
  const loaded: Span[] = []
  const past = new PastDays<{ time: number; hours: number }>({ longest })
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

test('also where it was ahead for less time than days are believed', async () => {
  const { read, late } = openBooks(0, DAY)
  const day = { from: MIDNIGHT, before: MIDNIGHT + DAY }
  expect(await read(day, MIDNIGHT + DAY + 8 * HOUR)).toBe(24)
  late.set(MIDNIGHT + 20 * HOUR, 5)
  expect(await read(day, MIDNIGHT + DAY + 180)).toBe(24 + 5)
})

test('what was cut off is not kept', async () => {
  const { read, loaded } = openBooks()
  const window = { from: MIDNIGHT - 4 * DAY, before: MIDNIGHT }
  await read(window, MIDNIGHT + DAY, 4)
  await read(window, MIDNIGHT + DAY, 4)
  expect(loaded).toEqual([window])
})

test('of a year a few days are read at a time, and none once there is enough', async () => {
  const past = new PastDays<{ time: number }>()
  let underWay = 0
  let mostAtOnce = 0
  const loaded: Span[] = []
  const load = async (span: Span) => {
    loaded.push(span)
    mostAtOnce = Math.max(mostAtOnce, ++underWay)
    await new Promise(setImmediate)
    underWay--
    return Array.from({ length: (span.before - span.from) / DAY }, (_, at) => ({
      time: span.from + at * DAY,
    }))
  }
  const year = { from: MIDNIGHT - 400 * DAY, before: MIDNIGHT }
  const few = await past.read('few', year, { now: MIDNIGHT + DAY, most: 12 }, load)
  expect(few.length).toBeGreaterThanOrEqual(12)
  expect(loaded.length).toBeLessThan(8)
  // What was begun for nobody ends by itself.
  while (underWay > 0) await new Promise(setImmediate)
  expect((await past.read('all', year, { now: MIDNIGHT + DAY }, load)).map(({ time }) => time)).toEqual(
    Array.from({ length: 400 }, (_, at) => year.from + at * DAY),
  )
  expect(mostAtOnce).toBeLessThanOrEqual(3)
})

test('a window that never ends is begun all the same', async () => {
  const { read, loaded } = openBooks()
  await read({ from: MIDNIGHT, before: Number.MAX_SAFE_INTEGER }, MIDNIGHT, 1)
  expect(loaded.length).toBeLessThan(5)
})
