import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * Gemini's batches go where the others are, and are looked after there; what each model of a batch costs, and what the
 * requests in a file of Gemini's may use, has a place of its own.
 */
export async function oneRoomOfBatches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, longText } = columnsFor(engine, db)
  await add('batches', 'prices', longText, column => column)
  await add('gemini_files', 'requests', longText, column => column)
  // First its name: whoever still writes to it, as an older program would, fails before anything has begun.
  if (engine !== 'mysql' || (await mysqlHasTable(db, 'gemini_batches')))
    await db.schema.alterTable('gemini_batches').renameTo('gemini_batches_moved').execute()
  if (engine === 'mysql' && !(await mysqlHasTable(db, 'gemini_batches_moved'))) return
  const group = sql.ref('group')
  await sql`
    insert into batches (
      id, user_id, token_id, channel_id, key_hash, upstream_id, file_id, endpoint, model, ${group}, request_id, state,
      line_count, input_bound, completion_window, metadata, data, output_file_id, error_file_id, submitted_at, lost_at,
      checked_at, next_poll_at, claim
    )
    select
      id, user_id, token_id, channel_id, key_hash, upstream_name, '', 'batchGenerateContent', model, ${group},
      request_id, state, request_count, input_bound, '24h', title, data, '', '', created_at, lost_at, 0, next_poll_at, ''
    from gemini_batches_moved where id not in (select id from batches)`.execute(db)
  await db.schema.dropTable('gemini_batches_moved').execute()
}

/** MySQL cannot undo a migration that stopped half-way. */
async function mysqlHasTable(db: Kysely<unknown>, table: string): Promise<boolean> {
  const found = await sql`
    select 1 from information_schema.tables
    where table_schema = database() and table_name = ${table} limit 1`.execute(db)
  return found.rows.length > 0
}
