import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** The months whose calls stand in the books as sums. */
export async function closedMonths(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, integer, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('closed_months', rows =>
    rows
      .addColumn('month', text(7), column => column.primaryKey())
      .addColumn('ends_at', integer, required)
      .addColumn('state', text(10), required)
      .addColumn('started_at', integer, required)
      .addColumn('closed_at', integer, zero)
      .addColumn('portions', integer, zero)
      .addColumn('calls', integer, zero)
      .addColumn('entries', integer, zero)
      .addColumn('user_amount', integer, zero)
      .addColumn('token_amount', integer, zero)
      .addColumn('digest', text(64), required)
      .addColumn('files', longText, required)
      .addColumn('previous_hash', text(64), blank)
      .addColumn('hash', text(64), blank),
  )
}
