import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { mysqlHasIndex } from './columns.ts'

/**
 * Rows that no request left, for the one engine whose indexes are always of all rows. Of the id only its first letter,
 * which all calls have in common for years to come: a call adds a few bytes behind those of the call before it.
 */
export async function logApart(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'mysql' || (await mysqlHasIndex(db, 'logs', 'logs_apart'))) return
  await sql`create index logs_apart on logs (request_id(1), created_at)`.execute(db)
}
