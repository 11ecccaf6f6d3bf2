import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Files that Anthropic accounts keep for our users. */
export async function anthropicFiles(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, flag, text, longText, required, zero } = columnsFor(engine, db)
  await keyed('anthropic_files', files =>
    files
      .addColumn('mark', text(64), column => column.primaryKey())
      .addColumn('id', text(128), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('is_uploaded', flag, required)
      .addColumn('bytes', integer, zero)
      .addColumn('created_at', integer, required)
      .addColumn('expires_at', integer, zero)
      .addColumn('data', longText, required),
  )
  // The same id twice would be one file of two people.
  await index('anthropic_files_place', 'anthropic_files', ['id', 'channel_id', 'key_hash'], 'unique')
  await index('anthropic_files_owner', 'anthropic_files', ['user_id', 'mark'])
  await index('anthropic_files_expiry', 'anthropic_files', ['expires_at'])
}
