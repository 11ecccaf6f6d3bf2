import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Files that OpenAI accounts keep for our users, to be named in calls. */
export async function openaiFiles(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, text, longText, required, zero } = columnsFor(engine, db)
  await keyed('openai_files', files =>
    files
      .addColumn('mark', text(64), column => column.primaryKey())
      .addColumn('id', text(128), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('purpose', text(40), required)
      .addColumn('bytes', integer, zero)
      .addColumn('created_at', integer, required)
      .addColumn('expires_at', integer, zero)
      .addColumn('data', longText, required),
  )
  // The same id twice would be one file of two people.
  await index('openai_files_id', 'openai_files', ['id'], 'unique')
  await index('openai_files_owner', 'openai_files', ['user_id', 'mark'])
  await index('openai_files_expiry', 'openai_files', ['expires_at'])
  // What batches are made of is called otherwise here, and is found by its vendor's name when somebody names that.
  await index('files_upstream', 'files', ['upstream_id'])
}
