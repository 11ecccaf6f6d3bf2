import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What an order credits, whatever the settings say by the time it is paid; when a user was last reminded. */
export async function wallet(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, zero } = columnsFor(engine, db)
  for (const [table, column] of [
    ['top_ups', 'quota'],
    ['users', 'quota_reminded_at'],
    ['users', 'quota_reminded_used'],
  ] as const) {
    // MySQL cannot undo a migration that stopped half-way, so it may find some of them.
    if (engine === 'mysql' && (await mysqlHasColumn(db, table, column))) continue
    await db.schema.alterTable(table).addColumn(column, integer, zero).execute()
  }
}

async function mysqlHasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const found = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(db)
  return found.rows.length > 0
}
