import { type DetailSearch, type SpanId, type Unit, units } from './choices.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const LONGEST = 400 * DAY
const daysOf: Record<SpanId, number> = { '24h': 1, '7d': 7, '30d': 30 }
const spanOf: Record<Unit, SpanId> = { hour: '24h', day: '7d', week: '30d' }

export interface Stretch {
  readonly from: number
  /** The last second that belongs to it. */
  readonly to: number
}

export interface Period extends Stretch {
  /** Undefined where the address names times instead. */
  readonly span: SpanId | undefined
  readonly unit: Unit
  readonly units: readonly Unit[]
  /** Minutes east of UTC. */
  readonly offset: number
  /** As long, and as much of it over, as this one. */
  readonly previous: Stretch
  readonly buckets: readonly number[]
}

/** What is looked at. Sums are kept by the hour, so it begins and ends with one. */
export function readPeriod(
  search: Pick<DetailSearch, 'span' | 'start' | 'end' | 'unit'>,
  usual: string,
  now = new Date(),
): Period {
  const offset = -now.getTimezoneOffset()
  const usualUnit = units.find(unit => unit === usual) ?? 'hour'
  const isOwn = search.start !== undefined || search.end !== undefined
  const span = isOwn ? undefined : (search.span ?? spanOf[usualUnit])
  const { from, to } = span === undefined ? namedStretch(search, now) : recentStretch(span, now)
  const length = span === undefined ? to + 1 - from : daysOf[span] * DAY
  const able = unitsOf(to + 1 - from)
  const unit = able.find(one => one === search.unit) ?? fittingUnit(able, usualUnit, to + 1 - from)
  // A week in which clocks were put back is an hour longer.
  const previous = { from: from - length, to: Math.min(to - length, from - 1) }
  return {
    span,
    from,
    to,
    previous,
    unit,
    units: able,
    offset,
    buckets: bucketsOf({ from, to }, unit),
  }
}

function recentStretch(span: SpanId, now: Date): Stretch {
  const hour = floorTo(HOUR, now.getTime() / 1000)
  if (span === '24h') return { from: hour - 23 * HOUR, to: hour + HOUR - 1 }
  const first = startOfDay(now.getTime() / 1000, 1 - daysOf[span])
  // Where days do not begin with an hour of UTC, that hour is of the day before.
  return { from: Math.ceil(first / HOUR) * HOUR, to: hour + HOUR - 1 }
}

/** When a day begins here, so many days from one that a time is in: by the calendar, for not all are equally long. */
function startOfDay(time: number, days: number): number {
  const at = new Date(time * 1000)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime() / 1000
}

function namedStretch({ start, end }: Pick<DetailSearch, 'start' | 'end'>, now: Date): Stretch {
  const last = floorTo(HOUR, Math.min(end ?? Number.POSITIVE_INFINITY, now.getTime() / 1000))
  const to = last + HOUR - 1
  const from = floorTo(HOUR, start ?? last - 7 * DAY)
  return { from: Math.min(Math.max(from, to + 1 - LONGEST), last), to }
}

function floorTo(step: number, time: number): number {
  return Math.floor(time / step) * step
}

/** Neither so many that nobody could tell them apart, nor so few that there is nothing to see. */
function unitsOf(seconds: number): Unit[] {
  return units.filter(unit => {
    if (unit === 'hour') return seconds <= 8 * DAY
    return unit === 'day' ? seconds > 2 * DAY && seconds <= 100 * DAY : seconds > 14 * DAY
  })
}

/** The usual one, unless there would be too many or too few of it. */
function fittingUnit(able: readonly Unit[], usual: Unit, seconds: number): Unit {
  const fits = (unit: Unit) => unit !== 'hour' || seconds <= 2 * DAY
  return able.find(unit => unit === usual && fits(unit)) ?? able.find(fits) ?? able[0] ?? 'day'
}

/** When each hour, day or week began, as the server counts them; weeks begin on Mondays. */
export function bucketsOf({ from, to }: Stretch, unit: Unit): number[] {
  const first = firstBucket(from, unit)
  const buckets: number[] = []
  for (let at = first; at <= to; at = nextBucket(at, unit)) buckets.push(at)
  return buckets
}

function firstBucket(from: number, unit: Unit): number {
  if (unit === 'hour') return floorTo(HOUR, from)
  return startOfDay(from, unit === 'week' ? -((new Date(from * 1000).getDay() + 6) % 7) : 0)
}

function nextBucket(bucket: number, unit: Unit): number {
  return unit === 'hour' ? bucket + HOUR : startOfDay(bucket, unit === 'week' ? 7 : 1)
}

/** What of a bucket lies in the period. */
export function stretchOf(bucket: number, { from, to, unit }: Pick<Period, 'from' | 'to' | 'unit'>): Stretch {
  return { from: Math.max(bucket, from), to: Math.min(nextBucket(bucket, unit) - 1, to) }
}

const two = (value: number) => String(value).padStart(2, '0')

/** Short, for an axis; long where it stands alone. */
export function nameBucket(bucket: number, { unit }: Pick<Period, 'unit'>, long = false): string {
  const time = new Date(bucket * 1000)
  const day = `${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const hour = `${two(time.getHours())}:${two(time.getMinutes())}`
  if (unit === 'hour') return long ? `${day} ${hour}` : hour
  return long && unit === 'week' ? `${day} – ${nameBucket(startOfDay(bucket, 6), { unit: 'day' })}` : day
}
