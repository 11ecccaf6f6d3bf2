import { type Kysely, sql } from 'kysely'
import { log } from '../../log.ts'
import type { Schema } from '../../store/schema.ts'

/** How often it is looked, at most. */
const AGAIN_SECONDS = 600
/** Numbers that may be given and not committed yet when it is looked for the first time. */
const ON_THEIR_WAY = 10_000
/** Finds that are told apart; of more than these the oldest are taken together. */
const MOST_FINDS = 50

/** The numbers after one and up to another, and how many rows were seen to have them. */
interface Seen {
  readonly after: number
  readonly upTo: number
  readonly rows: number
}

interface Find {
  readonly look: number
  /** When the earliest of the rows was that had come since the look before. */
  readonly earliest: number
}

/**
 * Whether rows have come whose time was over: after an outage they may be of days long ago. Numbers are given in the
 * order of arrival, so those that have come since the last look are soon gone through. With that known, sums of days
 * that are over can be believed for long.
 *
 * Of two that commit at once the one with the higher numbers may be seen first: it is looked once more how many there
 * are of those that the last look was about.
 */
export class LateRows {
  readonly #db: Kysely<Schema>
  #finds: Find[] = []
  #seen: Seen | undefined
  #looks = 0
  #nextAt = 0

  constructor(db: Kysely<Schema>) {
    this.#db = db
  }

  /** What is read from now on has all that had come before this look. */
  get look(): number {
    return this.#looks
  }

  /** Looks, if it has not for a while. The first is waited for, because what comes later is counted from it. */
  async keepLooking(now: number): Promise<void> {
    if (!this.#seen) await this.#lookAgain()
    // A clock that was set back does not stop it.
    else if (now < this.#nextAt && now > this.#nextAt - 2 * AGAIN_SECONDS) return
    else
      this.#lookAgain().catch(error =>
        log.warn('it is not known whether rows of the log came late', { error }),
      )
    this.#nextAt = now + AGAIN_SECONDS
  }

  /** Whether rows of before a time have come since a look. */
  hasChanged(before: number, since: number): boolean {
    return this.#finds.some(({ look, earliest }) => look > since && earliest < before)
  }

  async #lookAgain(): Promise<void> {
    const seen = this.#seen
    if (!seen) {
      const newest = await this.#db
        .selectFrom('logs')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const upTo = newest?.id ?? 0
      const after = upTo - ON_THEIR_WAY
      const { rows } = await this.#read(after, upTo)
      this.#seen = { after, upTo, rows }
      return
    }
    const { rows, last, ...found } = await this.#read(seen.after, seen.upTo)
    this.#looks++
    this.#seen = last > seen.upTo ? { after: seen.upTo, upTo: last, rows: found.newer } : { ...seen, rows }
    const earliest = rows === seen.rows ? found.earliestNewer : found.earliest
    if (earliest !== null) this.#note(Number(earliest))
  }

  /** How many rows have numbers that were looked at before, and what has come behind them. */
  async #read(after: number, upTo: number) {
    const found = await this.#db
      .selectFrom('logs')
      .select(row => [
        row.fn.min<number | null>('created_at').as('earliest'),
        sql<number | null>`min(case when id > ${upTo} then created_at end)`.as('earliestNewer'),
        sql<number>`sum(case when id > ${upTo} then 1 else 0 end)`.as('newer'),
        row.fn.countAll<number>().as('all'),
        row.fn.max<number | null>('id').as('last'),
      ])
      .where('id', '>', after)
      .executeTakeFirstOrThrow()
    const newer = Number(found.newer)
    return { ...found, newer, rows: Number(found.all) - newer, last: Number(found.last) }
  }

  #note(earliest: number): void {
    this.#finds.push({ look: this.#looks, earliest })
    const [first, second, ...rest] = this.#finds
    if (first && second && this.#finds.length > MOST_FINDS)
      this.#finds = [{ look: second.look, earliest: Math.min(first.earliest, second.earliest) }, ...rest]
  }
}
