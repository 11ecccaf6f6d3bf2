import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** How far the log has been delivered to each place outside that wants it. */
export async function logSinks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, integer, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('log_sinks', sinks =>
    sinks
      .addColumn('name', text(20), column => column.primaryKey())
      .addColumn('owner', text(40), blank)
      .addColumn('seen_at', integer, zero)
      .addColumn('delivered_to', integer, zero)
      .addColumn('sending_to', integer, zero)
      .addColumn('delivered_at', integer, zero)
      .addColumn('failures', integer, zero)
      .addColumn('failed_at', integer, zero)
      .addColumn('retry_at', integer, zero)
      .addColumn('told_at', integer, zero)
      .addColumn('problem', longText, required),
  )
}
