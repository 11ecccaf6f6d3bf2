import { Calendar } from './calendar.ts'
import type { LateRows } from './late-rows.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const utc = Calendar.withShift(0)
/** Days summed at once: a reader with little to ask does not wait behind months. */
const AT_A_TIME = 5
/** Loads that go on while a part is looked at. */
const AHEAD = 2
/** A commit may come a little after the moment it is of. */
const SETTLES = 120
const SHORTEST = 60
/** For so long after a day what it was charged for may still be given back, which no late row tells. */
const MAY_CHANGE = 3 * DAY
/** Rows kept of all days together: some 15 MB. */
const MOST_KEPT = 100_000

interface Timed {
  /** When the hour or day began that it sums. */
  readonly time: number
}

export interface Span {
  readonly from: number
  readonly before: number
}

interface Options {
  readonly now: number
  readonly calendar?: Calendar
  /** What is loaded at once has no more rows than so many, and has perhaps been cut there. */
  readonly most?: number
}

type Load<Row> = (span: Span) => Promise<readonly Row[]>

interface Kept<Row> {
  readonly rows: readonly Row[]
  readonly until: number
  /** The last look for late rows before it was read. */
  readonly look: number
}

interface Belief {
  /** For how long a day is believed at most. */
  readonly longest?: number
  /** Where it is told that rows have come late: then days are believed for up to a day. */
  readonly late?: LateRows | undefined
}

/**
 * Sums of days that are over, and of the hours of this day that are, kept so that nobody waits for millions of
 * hourly rows again. Rows may still come late, after an outage: the longer a time is over, the longer its sums
 * are believed, an hour at most unless late rows are looked for or another time is given.
 */
export class PastDays<Row extends Timed> {
  readonly #kept = new Map<string, Kept<Row>>()
  readonly #longest: number
  readonly #late: LateRows | undefined
  #size = 0

  constructor({ late, longest = late ? DAY : HOUR }: Belief = {}) {
    this.#longest = longest
    this.#late = late
  }

  /**
   * All rows of a window, in its order, or as many as were asked for and some more. Days are those of the calendar,
   * UTC's without one; one that is cut by the window or by this hour may have its sums in two rows.
   */
  async read(name: string, window: Span, options: Options, load: Load<Row>): Promise<Row[]> {
    const { most = Number.POSITIVE_INFINITY } = options
    const rows: (readonly Row[])[] = []
    let count = 0
    for await (const part of this.parts(name, window, options, load)) {
      rows.push(part)
      count += part.length
      if (count >= most) break
    }
    return rows.flat()
  }

  /**
   * The same a few days at a time, for who has no use for all of them at once. What is not known is loaded while the
   * part before it is looked at, and no more than that: a year would take all connections to the database for itself.
   */
  async *parts(
    name: string,
    window: Span,
    options: Options,
    load: Load<Row>,
  ): AsyncGenerator<readonly Row[], void> {
    const { now, calendar = utc } = options
    await this.#late?.keepLooking(now)
    const underWay: Promise<readonly Row[]>[] = []
    for (const part of this.#split(name, cut(window, calendar, now), calendar, now)) {
      underWay.push('rows' in part ? Promise.resolve(part.rows) : this.#load(name, part.run, options, load))
      // Whoever stops listening lets some fail unheard.
      underWay.at(-1)?.catch(() => {})
      if (underWay.length > AHEAD) yield (await underWay.shift()) ?? []
    }
    for (const part of underWay) yield await part
  }

  /** Days that are known, and runs of days that are not. */
  *#split(
    name: string,
    days: Iterable<Span>,
    calendar: Calendar,
    now: number,
  ): Generator<{ rows: readonly Row[] } | { run: readonly Span[] }, void> {
    let run: Span[] = []
    for (const day of days) {
      // Two parts of a day are summed apart: the day itself would be one row of both.
      if (run.length === AT_A_TIME || (run.length > 0 && !calendar.isMidnight(day.from))) {
        yield { run }
        run = []
      }
      const known = this.#find(`${name} ${day.from} ${day.before}`, day.before, now)
      if (!known) run.push(day)
      else {
        if (run.length > 0) yield { run }
        run = []
        yield { rows: known }
      }
    }
    if (run.length > 0) yield { run }
  }

  async #load(
    name: string,
    run: readonly Span[],
    { now, most = Number.POSITIVE_INFINITY }: Options,
    load: Load<Row>,
  ): Promise<readonly Row[]> {
    const from = run[0]?.from ?? 0
    const look = this.#late?.look ?? 0
    const rows = await load({ from, before: run.at(-1)?.before ?? 0 })
    // Cut off somewhere: no day of it is known to be whole.
    if (rows.length >= most) return rows
    for (const { from: at, before } of run) {
      const over = now - before
      if (over < SETTLES) continue
      const longest = this.#late && over < MAY_CHANGE ? HOUR : this.#longest
      const until = now + Math.min(Math.max(over / 10, SHORTEST), longest)
      const own = rows.filter(row => Math.max(row.time, from) >= at && Math.max(row.time, from) < before)
      this.#keep(`${name} ${at} ${before}`, { rows: own, until, look })
    }
    return rows
  }

  #find(key: string, before: number, now: number): readonly Row[] | undefined {
    const known = this.#kept.get(key)
    if (!known) return undefined
    this.#drop(key, known)
    // Longer than any is believed: from before a clock was set back.
    if (known.until < now || known.until > now + this.#longest) return undefined
    if (this.#late?.hasChanged(before, known.look)) return undefined
    this.#keep(key, known)
    return known.rows
  }

  #keep(key: string, kept: Kept<Row>): void {
    const known = this.#kept.get(key)
    if (known) this.#drop(key, known)
    this.#kept.set(key, kept)
    this.#size += kept.rows.length + 1
    for (const [oldest, rows] of this.#kept) {
      if (this.#size <= MOST_KEPT) break
      this.#drop(oldest, rows)
    }
  }

  #drop(key: string, { rows }: Kept<Row>): void {
    this.#kept.delete(key)
    this.#size -= rows.length + 1
  }
}

/** Into days, and the last of them where the hours begin that are not over. */
function* cut({ from, before }: Span, calendar: Calendar, now: number): Generator<Span, void> {
  const open = Math.floor((now - SETTLES) / HOUR) * HOUR
  for (let at = from; at < before; ) {
    const midnight = calendar.nextMidnight(at)
    const end = Math.min(at < open ? Math.min(midnight, open) : midnight, before)
    yield { from: at, before: end }
    at = end
  }
}
