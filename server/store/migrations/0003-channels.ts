import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Long pieces of work that an administrator starts, watches and can stop. */
export async function channels(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, integer, flag, text, required, zero, blank } = columnsFor(engine, db)
  await keyed('background_work', work =>
    work
      .addColumn('name', text(64), column => column.primaryKey())
      .addColumn('owner', text(64), blank)
      .addColumn('total', integer, zero)
      .addColumn('done', integer, zero)
      .addColumn('failed', integer, zero)
      .addColumn('started_at', integer, required)
      .addColumn('seen_at', integer, required)
      .addColumn('ended_at', integer, zero)
      .addColumn('cancelled', flag, zero),
  )
}
