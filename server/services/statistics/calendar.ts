import { type RawBuilder, sql } from 'kysely'

const DAY = 86_400
const WEEK = 7 * DAY
/** 1970 began on a Thursday; weeks begin on Mondays. */
const TO_MONDAY = 3 * DAY
/** A week may have begun before what is looked at. */
const AROUND = 8 * DAY
const MOST_ZONES = 1000
/** Seconds; beyond this no date can be written, on either side of 1970. */
const LAST_TIME = 8_640_000_000_000

/** A while in which clocks are so many seconds ahead of UTC. */
interface Stage {
  readonly from: number
  readonly shift: number
}

/** When days and weeks begin where a reader is, also while clocks there are put forward and back. */
export class Calendar {
  /** Readers whose days begin alike have the same. */
  readonly name: string
  readonly #stages: readonly Stage[]

  private constructor(name: string, stages: readonly Stage[]) {
    this.name = name
    this.#stages = stages
  }

  static withShift(shift: number): Calendar {
    return new Calendar(String(shift), [{ from: Number.NEGATIVE_INFINITY, shift }])
  }

  /** Of a place by its name, such as Europe/Berlin, for a stretch of time; undefined where there is no such name. */
  static of(zone: string, { from, before }: { from: number; before: number }): Calendar | undefined {
    const format = formatOf(zone)
    if (!format) return undefined
    const stages = stagesWithin(format, from - AROUND, before + DAY)
    const [first] = stages
    return stages.length === 1 && first ? Calendar.withShift(first.shift) : new Calendar(zone, stages)
  }

  isMidnight(time: number): boolean {
    return this.#instantOf(this.#midnightOf(time)) === time
  }

  nextMidnight(time: number): number {
    return this.#instantOf(this.#midnightOf(time) + DAY)
  }

  startOfWeek(time: number): number {
    const midnight = this.#midnightOf(time)
    return this.#instantOf(midnight - ((midnight + TO_MONDAY) % WEEK))
  }

  /** The day of an hour in a table, as its clocks show midnight; `timeOf` knows when that is. */
  dayOfHour(): RawBuilder<number> {
    const local = sql`(hour + ${this.#shiftOfHour()})`
    return sql<number>`${local} - (${local} % ${sql.lit(DAY)})`
  }

  timeOf(dayOfHour: number): number {
    return this.#instantOf(dayOfHour)
  }

  #shiftOfHour(): RawBuilder<unknown> {
    const [first, ...later] = this.#stages.toReversed()
    if (!first || later.length === 0) return sql.lit(first?.shift ?? 0)
    const cases = this.#stages
      .slice(1)
      .map(({ from }, at) => sql`when hour < ${sql.lit(from)} then ${sql.lit(this.#stages[at]?.shift ?? 0)}`)
    return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(first.shift)} end`
  }

  /** What clocks there showed at the day's midnight, as if that were UTC. */
  #midnightOf(time: number): number {
    const local = time + (this.#stages.findLast(({ from }) => from <= time)?.shift ?? 0)
    return Math.floor(local / DAY) * DAY
  }

  /** When clocks showed that or more for the first time: they may pass over it, or show it twice. */
  #instantOf(local: number): number {
    for (const [at, { from, shift }] of this.#stages.entries()) {
      const time = Math.max(from, local - shift)
      if (time < (this.#stages[at + 1]?.from ?? Number.POSITIVE_INFINITY)) return time
    }
    return local
  }
}

/** Kept: to make one takes as long as to read a year with it. */
const formats = new Map<string, Intl.DateTimeFormat | undefined>()

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formats.has(zone)) return formats.get(zone)
  let format: Intl.DateTimeFormat | undefined
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    // No such place.
  }
  if (formats.size >= MOST_ZONES) formats.clear()
  formats.set(zone, format)
  return format
}

function stagesWithin(format: Intl.DateTimeFormat, from: number, before: number): Stage[] {
  let shift = shiftAt(format, from)
  const stages: Stage[] = [{ from: Number.NEGATIVE_INFINITY, shift }]
  for (let at = from; at < before; at += DAY) {
    const next = shiftAt(format, at + DAY)
    if (next === shift) continue
    stages.push({ from: changeWithin(format, at, at + DAY), shift: next })
    shift = next
  }
  return stages
}

/** The first second of the later one of two shifts. */
function changeWithin(format: Intl.DateTimeFormat, from: number, to: number): number {
  const later = shiftAt(format, to)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (shiftAt(format, middle) === later) high = middle
    else low = middle
  }
  return high
}

/** Written as GMT-03:30. */
function shiftAt(format: Intl.DateTimeFormat, time: number): number {
  const writable = Math.min(Math.max(time, -LAST_TIME), LAST_TIME)
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(format.format(writable * 1000)) ?? []
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60
  return sign === '-' ? -seconds : seconds
}
