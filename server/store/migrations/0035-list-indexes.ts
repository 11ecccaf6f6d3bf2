import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What lists that grow with use are asked for. Model calls write to none of these tables, and a long job once. */
export async function listIndexes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = columnsFor(engine, db)
  await index('audit_records_username', 'audit_records', ['username', 'id'])
  for (const table of ['midjourneys', 'tasks']) {
    await index(`${table}_time`, table, ['submit_time', 'id'])
    await index(`${table}_channel`, table, ['channel_id', 'id'])
  }
  if (engine !== 'postgres') return
  // A part of a number or of a name, as with users and tokens: where the extension is not to be had all are looked at.
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)
  if (rows.length === 0) return
  for (const [table, column] of [
    ['top_ups', 'trade_no'],
    ['redemptions', 'name'],
  ] as const)
    await sql`create index if not exists ${sql.id(`${table}_words`)} on ${sql.id(table)}
      using gin (lower(${sql.ref(column)}) gin_trgm_ops)`.execute(db)
}
