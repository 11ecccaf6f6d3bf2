import { Calendar } from './calendar.ts'
import { type Changes, type Form, type KeptDays, OVER_FOR_ALL } from './kept-days.ts'

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
  /** How often days had changed before what `load` goes by was read, where it goes by something. */
  readonly changes?: Changes | undefined
}

type Load<Row> = (span: Span) => Promise<readonly Row[]>

interface Kept<Row> {
  readonly rows: readonly Row[]
  readonly until: number
  /** How often it had changed before it was read. */
  readonly changes: number
}

/** Where sums outlive the process, and it is told that days have changed: then they are believed for up to a day. */
interface Books<Row> {
  readonly kept: KeptDays
  readonly form: Form<Row>
}

interface Belief<Row> {
  /** For how long a day is believed at most. */
  readonly longest?: number
  readonly books?: Books<Row> | undefined
}

/** What stays the same while a window is read. */
interface Reading<Row> {
  readonly name: string
  readonly now: number
  readonly calendar: Calendar
  readonly most: number
  readonly changes: Changes | undefined
  readonly load: Load<Row>
}

/**
 * Sums of days that are over, and of the hours of this day that are, kept so that nobody waits for millions of
 * hourly rows again. Rows may still come late, after an outage: the longer a time is over, the longer its sums
 * are believed, an hour at most unless changes are told or another time is given.
 */
export class PastDays<Row extends Timed> {
  readonly #kept = new Map<string, Kept<Row>>()
  readonly #longest: number
  readonly #books: Books<Row> | undefined
  #size = 0

  constructor({ books, longest = books ? DAY : HOUR }: Belief<Row> = {}) {
    this.#longest = longest
    this.#books = books
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
    const { now, calendar = utc, most = Number.POSITIVE_INFINITY } = options
    // Before any sum is read: what changes from now on is counted as a change of it.
    const changes = options.changes ?? (await this.#books?.kept.changes(window))
    const reading = { name, now, calendar, most, changes, load }
    const underWay: Promise<readonly Row[]>[] = []
    for (const part of this.#split(cut(window, calendar, now), reading)) {
      underWay.push('rows' in part ? Promise.resolve(part.rows) : this.#read(part.run, reading))
      // Whoever stops listening lets some fail unheard.
      underWay.at(-1)?.catch(() => {})
      if (underWay.length > AHEAD) yield (await underWay.shift()) ?? []
    }
    for (const part of underWay) yield await part
  }

  /** Days that are known, and runs of days that are not. */
  *#split(
    days: Iterable<Span>,
    reading: Reading<Row>,
  ): Generator<{ rows: readonly Row[] } | { run: readonly Span[] }, void> {
    let run: Span[] = []
    for (const day of days) {
      // Two parts of a day are summed apart: the day itself would be one row of both.
      if (run.length === AT_A_TIME || (run.length > 0 && !reading.calendar.isMidnight(day.from))) {
        yield { run }
        run = []
      }
      const known = this.#find(day, reading)
      if (!known) run.push(day)
      else {
        if (run.length > 0) yield { run }
        run = []
        yield { rows: known }
      }
    }
    if (run.length > 0) yield { run }
  }

  /** What somebody has written down, and the rest added up. */
  async #read(run: readonly Span[], reading: Reading<Row>): Promise<readonly Row[]> {
    const { name, now, changes } = reading
    if (!this.#books || !changes) return this.#load(run, reading)
    const { kept, form } = this.#books
    const known = await kept.read(
      form,
      name,
      run.filter(day => isOverForAll(day, reading)),
      changes,
      now,
    )
    if (known.size === 0) return this.#load(run, reading)
    const parts: (readonly Row[])[] = []
    let unknown: Span[] = []
    const loadUnknown = async (): Promise<void> => {
      if (unknown.length > 0) parts.push(await this.#load(unknown, reading))
      unknown = []
    }
    for (const day of run) {
      const rows = known.get(day.from)
      if (!rows) unknown.push(day)
      else {
        await loadUnknown()
        this.#believe(day, rows, reading)
        parts.push(rows)
      }
    }
    await loadUnknown()
    return parts.flat()
  }

  async #load(run: readonly Span[], reading: Reading<Row>): Promise<readonly Row[]> {
    const { name, now, most, changes, load } = reading
    const from = run[0]?.from ?? 0
    const began = performance.now()
    const rows = await load({ from, before: run.at(-1)?.before ?? 0 })
    // Cut off somewhere: no day of it is known to be whole.
    if (rows.length >= most) return rows
    const tookMs = performance.now() - began
    for (const day of run) {
      if (now - day.before < SETTLES) continue
      const { from: at, before } = day
      const own = rows.filter(row => Math.max(row.time, from) >= at && Math.max(row.time, from) < before)
      this.#believe(day, own, reading)
      if (this.#books && changes && isOverForAll(day, reading))
        this.#books.kept.keep(this.#books.form, name, day, own, { changes: changes.of(day), now, tookMs })
    }
    return rows
  }

  #believe(day: Span, rows: readonly Row[], { name, now, changes }: Reading<Row>): void {
    const until = now + this.#beliefIn(day, now)
    this.#keep(keyOf(name, day), { rows, until, changes: changes?.of(day) ?? 0 })
  }

  /** For how long, from now on. */
  #beliefIn({ before }: Span, now: number): number {
    return Math.min(Math.max((now - before) / 10, SHORTEST), this.#longest)
  }

  #find(day: Span, { name, now, changes }: Reading<Row>): readonly Row[] | undefined {
    const key = keyOf(name, day)
    const known = this.#kept.get(key)
    if (!known) return undefined
    this.#drop(key, known)
    // Longer than it would be from now on: from before a clock was set back.
    if (known.until < now || known.until > now + this.#beliefIn(day, now) + SHORTEST) return undefined
    if (changes && changes.of(day) !== known.changes) return undefined
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

function keyOf(name: string, { from, before }: Span): string {
  return `${name} ${from} ${before}`
}

/** A whole day, and nobody is in it any more, wherever their clocks are. */
function isOverForAll(
  { from, before }: Span,
  { calendar, now }: { calendar: Calendar; now: number },
): boolean {
  return calendar.isMidnight(from) && calendar.nextMidnight(from) === before && now - before >= OVER_FOR_ALL
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
