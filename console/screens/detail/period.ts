import { type DetailSearch, type SpanId, type Unit, units } from './choices.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** 1970 began on a Thursday; weeks begin on Mondays. */
const TO_MONDAY = 3 * DAY
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
  const previous = { from: from - length, to: to - length }
  return {
    span,
    from,
    to,
    previous,
    unit,
    units: able,
    offset,
    buckets: bucketsOf({ from, to }, unit, offset),
  }
}

function recentStretch(span: SpanId, now: Date): Stretch {
  const hour = floorTo(HOUR, now.getTime() / 1000)
  if (span === '24h') return { from: hour - 23 * HOUR, to: hour + HOUR - 1 }
  const midnight = Math.floor(new Date(now).setHours(0, 0, 0, 0) / 1000)
  return { from: midnight - (daysOf[span] - 1) * DAY, to: hour + HOUR - 1 }
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

/** When each hour, day or week began, as the server counts them: with one distance from UTC throughout. */
export function bucketsOf({ from, to }: Stretch, unit: Unit, offset: number): number[] {
  const shift = unit === 'hour' ? 0 : offset * 60
  const step = unit === 'hour' ? HOUR : unit === 'day' ? DAY : WEEK
  const before = shift + (unit === 'week' ? TO_MONDAY : 0)
  const first = floorTo(step, from + before) - before
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, at) => first + at * step)
}

/** What of a bucket lies in the period. */
export function stretchOf(bucket: number, { from, to, unit }: Pick<Period, 'from' | 'to' | 'unit'>): Stretch {
  const length = unit === 'hour' ? HOUR : unit === 'day' ? DAY : WEEK
  return { from: Math.max(bucket, from), to: Math.min(bucket + length - 1, to) }
}

const two = (value: number) => String(value).padStart(2, '0')

/** Short, for an axis; long where it stands alone. */
export function nameBucket(bucket: number, { unit, offset }: Pick<Period, 'unit' | 'offset'>, long = false) {
  const time = new Date((bucket + offset * 60) * 1000)
  const day = `${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`
  const hour = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
  if (unit !== 'hour') return long && unit === 'week' ? `${day} – ${nameDay(bucket + 6 * DAY, offset)}` : day
  return long ? `${day} ${hour}` : hour
}

function nameDay(time: number, offset: number): string {
  return nameBucket(time, { unit: 'day', offset })
}
