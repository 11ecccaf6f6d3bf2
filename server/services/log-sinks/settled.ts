import { type Kysely, sql } from 'kysely'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'

/** MySQL: longer than an insert can take from its number to its row. One that waits for a lock is ended after 50 seconds. */
const LATE_MS = 120_000

interface Mark {
  /** The highest number that was taken by then. */
  readonly top: number
  /** When it was, by a clock that is not set. */
  readonly at: number
  /** Who was writing to the log just after that (PostgreSQL). */
  readonly writers: ReadonlySet<string>
}

/**
 * Up to where the log is whole. Several who write at once take their numbers in one order and commit in another: a
 * number that is missing below one that can be read is lost for good, or belongs to somebody who has not committed
 * yet. Whoever passes over it too early never sees that row.
 */
export class Settled {
  readonly #store: Pick<Store, 'db' | 'engine'>
  readonly #lateMs: number
  #mark: Mark | undefined
  #upTo: number

  constructor(store: Pick<Store, 'db' | 'engine'>, lateMs = LATE_MS) {
    this.#store = store
    this.#lateMs = lateMs
    // SQLite has one writer at a time, who takes numbers and commits before the next one does.
    this.#upTo = store.engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : 0
  }

  /** No number up to this one can still come: what a reading that begins after this lacks, nobody has. */
  get upTo(): number {
    return this.#upTo
  }

  /** Looks whether that holds for the numbers of a stretch by now. */
  async look(after: number, last: number): Promise<void> {
    this.#mark ??= await this.#setMark()
    const { top } = this.#mark
    const isOver = this.#store.engine === 'postgres' ? this.#haveEnded() : this.#isFree(after, last)
    if (!(await isOver)) return
    this.#upTo = this.#store.engine === 'postgres' ? top : Math.min(top, last)
    if (this.#upTo === top) this.#mark = undefined
  }

  async #setMark(): Promise<Mark> {
    const { db, engine } = this.#store
    const top = await highestId(db)
    // Afterwards: whoever took a lower number, and has not ended, is among them.
    const writers = engine === 'postgres' ? await writersOf(db) : new Set<string>()
    return { top, at: performance.now(), writers }
  }

  /**
   * PostgreSQL: an insert locks its table before it takes a number, and lets go after its rows can be seen. So when
   * all who held that lock once a number was seen have ended, nobody is left who could have a lower one.
   */
  async #haveEnded(): Promise<boolean> {
    const { writers } = this.#mark ?? {}
    if (!writers || writers.size === 0) return true
    const now = await writersOf(this.#store.db)
    return !writers.values().some(writer => now.has(writer))
  }

  /**
   * MySQL: a row that was inserted and not committed is locked, however long that takes, and a number without a row
   * that is this old has no insert under way any more.
   */
  async #isFree(after: number, last: number): Promise<boolean> {
    if (performance.now() - (this.#mark?.at ?? Number.POSITIVE_INFINITY) < this.#lateMs) return false
    try {
      await sql`select id from logs where id > ${after} and id <= ${last} for update nowait`.execute(
        this.#store.db,
      )
      return true
    } catch (error) {
      log.debug('rows of the log are not committed yet', { after, last, error })
      return false
    }
  }
}

export async function highestId(db: Kysely<Schema>): Promise<number> {
  const { top } = await db
    .selectFrom('logs')
    .select(row => row.fn.max('id').as('top'))
    .executeTakeFirstOrThrow()
  return Number(top ?? 0)
}

/** Transactions under way that have written to the log, or are about to (PostgreSQL). */
async function writersOf(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct virtualtransaction as name from pg_locks
    where locktype = 'relation' and granted and relation = 'logs'::regclass
      and database = (select oid from pg_database where datname = current_database())
      and mode not in ('AccessShareLock', 'RowShareLock')`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
