import { type Kysely, sql } from 'kysely'
import { log } from '../../log.ts'
import { steadyClock } from '../../steady-clock.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import { putRow } from '../../store/upsert.ts'
import { giveWay, Turn } from '../give-way.ts'
import type { Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Before that, a node whose clock is behind may still be in the day, and does not know that it is late. */
export const OVER_FOR_ALL = HOUR
/** What is added up sooner is not worth writing down. */
const WORTH_MS = 5
/** Of a day with more rows than this, some megabytes would be written: it is added up each time. */
const MOST_ROWS = 10_000
const ROWS_A_LINE = 100
const LONGEST_NAME = 255
/** Days that wait to be written; of a year that is asked for at once the rest waits until somebody asks again. */
const MOST_WAITING = 100
/** A rest after each, in times of what it took: calls are settled by the same writer. */
const REST = 3
/** What nobody has had use for in so long is forgotten. */
const UNUSED = 40 * DAY
const FORGOTTEN_AT_ONCE = 20
/** Of more than these, those go first that nobody has had use for the longest: who may ask can fill no disk. */
const MOST_KEPT = { days: 10_000, bytes: 500_000_000 }
/** Days begin at such a time wherever people live. */
const QUARTER = 900

/** How often days have changed after they were over. */
export class Changes {
  readonly #days: ReadonlyMap<number, number>

  constructor(days: ReadonlyMap<number, number>) {
    this.#days = days
  }

  /** Of the UTC days that a span has a part of: it only ever rises. */
  of({ from, before }: Span): number {
    if (this.#days.size === 0) return 0
    let sum = 0
    for (let day = from - (from % DAY); day < before; day += DAY) sum += this.#days.get(day) ?? 0
    return sum
  }
}

/** What rows are written as. */
export interface Form<Row> {
  /** What is counted by them; another where they come to mean something else. */
  readonly name: string
  readonly columns: readonly (keyof Row & string)[]
  /** What rows have besides. */
  finish?(rows: readonly Row[]): Promise<readonly Row[]>
}

interface Waiting {
  readonly name: string
  readonly day: Span
  readonly changes: number
  readonly now: number
  write(): Promise<string>
}

/**
 * What days that are over came to, in the database: after a start, and on every other node, they need not be added up
 * again. How often the day had changed is read before its sums are, and kept with them. Who changes it later counts that
 * in the same commit: so what is found is either what the sums still come to, or known not to be.
 */
export class KeptDays {
  readonly #db: Kysely<Schema>
  readonly #engine: Store['engine']
  readonly #worthMs: number
  readonly #steadyNow: () => number
  readonly #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  constructor({ db, engine }: Pick<Store, 'db' | 'engine'>, now: () => number, { worthMs = WORTH_MS } = {}) {
    this.#db = db
    this.#engine = engine
    this.#worthMs = worthMs
    this.#steadyNow = steadyClock(now)
  }

  async changes({ from, before }: Span): Promise<Changes> {
    const days = await this.#db
      .selectFrom('changed_days')
      .select(['day', 'changes'])
      .where('day', '>', from - DAY)
      .where('day', '<', before)
      .execute()
    return new Changes(new Map(days.map(({ day, changes }) => [Number(day), Number(changes)])))
  }

  /** By when they began: those of some days that are known, and have not changed. */
  async read<Row>(
    form: Form<Row>,
    name: string,
    days: readonly Span[],
    changes: Changes,
    now: number,
  ): Promise<ReadonlyMap<number, readonly Row[]>> {
    const known = new Map<number, readonly Row[]>()
    const whole = nameIn(form, name)
    if (days.length === 0 || whole === undefined) return known
    const found = await this.#db
      .selectFrom('kept_days')
      .select(['starts_at', 'ends_at', 'changes', 'seen_at', 'sums'])
      .where('name', '=', whole)
      .where(
        'starts_at',
        'in',
        days.map(({ from }) => from),
      )
      .execute()
    for (const day of days) {
      const row = found.find(({ starts_at }) => Number(starts_at) === day.from)
      if (!row || Number(row.ends_at) !== day.before || Number(row.changes) !== changes.of(day)) continue
      const rows = await unpack(form, row.sums)
      if (rows) known.set(day.from, rows)
    }
    const old = found.filter(({ seen_at }) => Number(seen_at) < now - DAY)
    if (old.length > 0) this.#noteUse(whole, old, now)
    return known
  }

  /** Writes them down by and by, if that spares enough. */
  keep<Row>(form: Form<Row>, name: string, day: Span, rows: readonly Row[], how: Reckoned): void {
    const whole = nameIn(form, name)
    const isWorth = how.tookMs >= this.#worthMs && rows.length <= MOST_ROWS && day.from % QUARTER === 0
    // A clock that has leapt ahead is right again soon: nobody who comes in time then says that the day has changed.
    const isOver = this.#steadyNow() - day.before >= OVER_FOR_ALL
    if (!isWorth || !isOver || whole === undefined || this.#waiting.length >= MOST_WAITING) return
    const { changes, now } = how
    this.#waiting.push({ name: whole, day, changes, now, write: () => pack(form, rows) })
    this.#writing ??= this.#writeAll()
  }

  /** Until nothing waits to be written. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  #noteUse(name: string, days: readonly { readonly starts_at: number }[], now: number): void {
    this.#db
      .updateTable('kept_days')
      .set({ seen_at: now })
      .where('name', '=', name)
      .where(
        'starts_at',
        'in',
        days.map(({ starts_at }) => starts_at),
      )
      .execute()
      .catch(error => log.debug('it was not noted that sums of days were used', { error }))
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const began = performance.now()
      try {
        await this.#write(next)
      } catch (error) {
        // They are added up again: nothing is lost but time.
        log.debug('sums of days could not be kept', { error })
        this.#waiting.length = 0
      }
      this.#waiting.shift()
      await giveWay(performance.now() - began, REST)
    }
    this.#writing = undefined
  }

  async #write({ name, day, changes, now, write }: Waiting): Promise<void> {
    const sums = await write()
    const key = { name, starts_at: day.from }
    await putRow(this.#db, this.#engine, 'kept_days', key, {
      ends_at: day.before,
      changes,
      seen_at: now,
      sums,
      bytes: Buffer.byteLength(sums),
    })
  }
}

interface Reckoned {
  /** How often the day had changed before it was added up. */
  readonly changes: number
  readonly now: number
  /** For how long it was added up, with those beside it. */
  readonly tookMs: number
}

/** Undefined where it is too long, or has what no engine takes. MySQL passes over blanks at the end of a text. */
function nameIn(form: { readonly name: string }, name: string): string | undefined {
  const whole = `${form.name} ${name}.`
  return whole.length > LONGEST_NAME || /[\0\p{Cs}]/u.test(whole) ? undefined : whole
}

/** The columns, and then some rows in each line, column by column: so they are read soonest, and in turns. */
async function pack<Row>({ columns }: Form<Row>, rows: readonly Row[]): Promise<string> {
  const lines = [JSON.stringify(columns)]
  const turn = new Turn()
  for (let at = 0; at < rows.length; at += ROWS_A_LINE) {
    if (turn.isOver(ROWS_A_LINE)) await turn.next()
    const some = rows.slice(at, at + ROWS_A_LINE)
    lines.push(JSON.stringify(columns.map(column => some.map(row => row[column]))))
  }
  return lines.join('\n')
}

/** Undefined where another version of the program has written them. */
async function unpack<Row>(form: Form<Row>, text: string): Promise<readonly Row[] | undefined> {
  const { columns } = form
  const [head, ...lines] = text.split('\n')
  if (head !== JSON.stringify(columns)) return undefined
  const rows: Row[] = []
  const turn = new Turn()
  for (const line of lines) {
    if (turn.isOver(ROWS_A_LINE)) await turn.next()
    const cells: unknown[][] = JSON.parse(line)
    for (let at = 0; at < (cells[0]?.length ?? 0); at++) rows.push(rowAt(columns, cells, at))
  }
  return form.finish ? form.finish(rows) : rows
}

/** What was undefined is written as null, and nothing else is. */
function rowAt<Row>(columns: Form<Row>['columns'], cells: readonly unknown[][], at: number): Row {
  const row: Partial<Record<keyof Row, unknown>> = {}
  let nth = 0
  for (const column of columns) row[column] = cells[nth++]?.[at] ?? undefined
  return row as Row
}

/**
 * Forgets what nobody has had use for in a long time, and what is too much. Days that are asked for together are seen at
 * the same time: of them only as many go as there are too many, and the shortest, which are added up again soonest.
 */
export async function sweepKeptDays({ db }: Pick<Store, 'db'>, now: number, most = MOST_KEPT): Promise<void> {
  const kept = await db
    .selectFrom('kept_days')
    .select(['seen_at', 'bytes'])
    .orderBy('seen_at', 'desc')
    .orderBy('bytes', 'desc')
    .limit(most.days + 1)
    .execute()
  let bytes = 0
  const last = kept.find((day, at) => {
    bytes += Number(day.bytes)
    return at >= most.days || bytes > most.bytes
  })
  const isOverfull = last !== undefined && Number(last.seen_at) >= now - UNUSED
  const seen = isOverfull ? Number(last.seen_at) : now - UNUSED
  const shortest = isOverfull ? Number(last.bytes) : -1
  const isToGo = sql<boolean>`seen_at <= ${seen} and (seen_at < ${seen} or bytes <= ${shortest})`
  for (;;) {
    const began = performance.now()
    const unused = await db
      .selectFrom('kept_days')
      .select(['name', 'starts_at'])
      .where(isToGo)
      .limit(FORGOTTEN_AT_ONCE)
      .execute()
    for (const { name, starts_at } of unused)
      await db
        .deleteFrom('kept_days')
        .where('name', '=', name)
        .where('starts_at', '=', starts_at)
        .where(isToGo)
        .execute()
    if (unused.length < FORGOTTEN_AT_ONCE) return
    await giveWay(performance.now() - began, REST)
  }
}
