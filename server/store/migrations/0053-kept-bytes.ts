import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** How long the sums of each kept day are, where that is seen without reading them: all of them together have a limit. */
export async function keptBytes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, index, dropIndex, integer, zero } = columnsFor(engine, db)
  await add('kept_days', 'bytes', integer, zero)
  await sql`update kept_days set bytes = octet_length(sums)`.execute(db)
  await dropIndex('kept_days_seen', 'kept_days')
  await index('kept_days_seen_bytes', 'kept_days', ['seen_at', 'bytes'])
}
