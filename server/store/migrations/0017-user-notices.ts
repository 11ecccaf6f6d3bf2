import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * How a user wants to be told. Apart from `users`, whose rows are written with every charge, and only for those
 * who have asked for something else than the usual mail.
 */
export async function userNotices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, integer, text, longText, required, zero } = columnsFor(engine, db)
  await keyed('user_notices', wish =>
    wish
      .addColumn('user_id', integer, column => column.primaryKey())
      .addColumn('threshold', integer, zero)
      .addColumn('kind', text(16), required)
      .addColumn('email', text(254))
      .addColumn('way_sealed', longText),
  )
}
