import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What was asked and answered, apart from the log: its rows are a hundred times as large and live shorter. */
export async function logContents(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index, integer, text, longText, required } = columnsFor(engine, db)
  await table('log_contents', content =>
    content
      .addColumn('request_id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('content_sealed', longText, required),
  )
  await index('log_contents_age', 'log_contents', ['created_at'])
}
