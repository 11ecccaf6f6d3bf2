import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { mysqlHasIndex } from './columns.ts'

/**
 * Which calls of a label were of a model, and what they came to: no sums know both together, and this index knows all
 * of it without the rows. Labels that are longer than it takes are not in it: PostgreSQL would refuse the row.
 *
 * Calls without labels leave nothing in it, but in MySQL, whose indexes are always of all rows: there they stand in the
 * order of time, each behind the one before.
 */
export async function logLabels(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'mysql') {
    if (await mysqlHasIndex(db, 'logs', 'logs_labelled')) return
    await sql`create index logs_labelled on logs (labels(300), created_at, model_name)`.execute(db)
    return
  }
  // SQLite has the id in every index.
  const id = engine === 'postgres' ? sql`, id` : sql``
  await sql`create index if not exists logs_labelled
    on logs (labels, model_name, created_at, user_id, type, quota${id}) where length(labels) <= 300`.execute(
    db,
  )
}
