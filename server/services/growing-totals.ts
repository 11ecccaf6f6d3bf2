import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { KeptUntilChanged } from './kept-until-changed.ts'
import { countRows } from './paging.ts'
import type { Sought } from './search-page.ts'

/** Lists that grow at their end. Codes are taken away too, and an import adds older rows: that raises `records`. */
type Growing = 'redemptions' | 'top_ups' | 'midjourneys' | 'tasks'

/** More lists than there are. */
const MOST_KEPT = 20
/** So many of the newest are counted anew each time: some may be on their way under a number that was drawn before. */
const NEWEST = 2000

interface Older {
  readonly upTo: number
  readonly total: number
}

/**
 * How many rows a whole list has. The count of the older ones stays as it is until some are taken away; only what is
 * newer is counted with every page.
 */
export class GrowingTotals {
  readonly #db: Kysely<Schema>
  readonly #older: KeptUntilChanged<Growing, Older>

  constructor(db: Kysely<Schema>) {
    this.#db = db
    this.#older = new KeptUntilChanged(db, 'records', MOST_KEPT)
  }

  /** All rows of a list; the conditions are always the same for the same table. */
  whole(table: Growing, conditions: readonly Expression<SqlBool>[] = []): Sought {
    const where = expressionBuilder<Schema, Growing>().and([...conditions])
    return { table, where, count: () => this.#count(table, where) }
  }

  async #count(table: Growing, where: Expression<SqlBool>): Promise<number> {
    const rows = this.#db.selectFrom(table).where(where)
    const known = await this.#older.known()
    let older = known.get(table)
    if (!older) {
      const last = await this.#db
        .selectFrom(table)
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const upTo = Math.max((last?.id ?? 0) - NEWEST, 0)
      older = { upTo, total: upTo === 0 ? 0 : await countRows(rows.where('id', '<=', upTo)) }
      known.set(table, older)
    }
    return older.total + (await countRows(rows.where('id', '>', older.upTo)))
  }
}
