import { Calendar } from './calendar.ts'

const HOUR = 3600
const utc = Calendar.withShift(0)
/** Days summed at once: a reader with little to ask does not wait behind months. */
const AT_A_TIME = 5
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

interface Kept<Row> {
  readonly rows: readonly Row[]
  readonly until: number
}

/**
 * Sums of days that are over, and of the hours of this day that are, kept so that nobody waits for millions of
 * hourly rows again. Rows may still come late, after an outage: the longer a time is over, the longer its sums
 * are believed, an hour at most unless another time is given.
 */
export class PastDays<Row extends Timed> {
  readonly #kept = new Map<string, Kept<Row>>()
  readonly #longest: number
  #size = 0

  constructor(longest = HOUR) {
    this.#longest = longest
  }

  /**
   * All rows of a window, in its order. Days are those of the calendar, UTC's without one; one that is cut by the
   * window or by this hour may have its sums in two rows.
   */
  async read(
    name: string,
    window: Span,
    options: { readonly now: number; readonly calendar?: Calendar; readonly most?: number },
    load: (span: Span) => Promise<readonly Row[]>,
  ): Promise<Row[]> {
    const { now, calendar = utc, most = Number.POSITIVE_INFINITY } = options
    const parts: (readonly Row[] | Promise<readonly Row[]>)[] = []
    let run: Span[] = []
    const endRun = (): void => {
      if (run.length > 0) parts.push(this.#load(name, run, { now, most }, load))
      run = []
    }
    for (const day of cut(window, calendar, now)) {
      // Two parts of a day are summed apart: the day itself would be one row of both.
      if (run.length === AT_A_TIME || !calendar.isMidnight(day.from)) endRun()
      const known = this.#find(`${name} ${day.from} ${day.before}`, now)
      if (!known) run.push(day)
      else {
        endRun()
        parts.push(known)
      }
    }
    endRun()
    return (await Promise.all(parts)).flat()
  }

  async #load(
    name: string,
    run: readonly Span[],
    { now, most }: { now: number; most: number },
    load: (span: Span) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const from = run[0]?.from ?? 0
    const rows = await load({ from, before: run.at(-1)?.before ?? 0 })
    // Cut off somewhere: no day of it is known to be whole.
    if (rows.length >= most) return rows
    for (const { from: at, before } of run) {
      const over = now - before
      if (over < SETTLES) continue
      const until = now + Math.min(Math.max(over / 10, SHORTEST), this.#longest)
      const own = rows.filter(row => Math.max(row.time, from) >= at && Math.max(row.time, from) < before)
      this.#keep(`${name} ${at} ${before}`, { rows: own, until })
    }
    return rows
  }

  #find(key: string, now: number): readonly Row[] | undefined {
    const known = this.#kept.get(key)
    if (!known) return undefined
    this.#drop(key, known)
    // Longer than any is believed: from before a clock was set back.
    if (known.until < now || known.until > now + this.#longest) return undefined
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
function cut({ from, before }: Span, calendar: Calendar, now: number): Span[] {
  const open = Math.floor((now - SETTLES) / HOUR) * HOUR
  const spans: Span[] = []
  for (let at = from; at < before; ) {
    const midnight = calendar.nextMidnight(at)
    const end = Math.min(at < open ? Math.min(midnight, open) : midnight, before)
    spans.push({ from: at, before: end })
    at = end
  }
  return spans
}
