import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** So that no question about a log of millions reads the log itself. */
export async function logIndexes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = columnsFor(engine, db)
  // Every call writes to it, and nothing else could stand in: a row keeps the name its token had, tokens are
  // renamed, and neither the hourly sums nor the tokens tell the old one.
  await index('logs_token', 'logs', ['token_name', 'created_at', 'id'])
  if (engine === 'mysql') return
  // In the place of the narrower one. No call writes to it: it has only rows that no request left.
  await sql`create index if not exists logs_apart
    on logs (created_at, user_id, type, channel_id, model_name, ${sql.ref('group')}) where request_id = ''`.execute(
    db,
  )
  await sql`drop index if exists logs_unsummed`.execute(db)
}
