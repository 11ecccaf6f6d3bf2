import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Files that upstreams keep for our users, and the batches that are made of them. */
export async function batches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, flag, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('files', files =>
    files
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('upstream_id', text(191), required)
      .addColumn('purpose', text(40), required)
      .addColumn('filename', text(255), required)
      .addColumn('bytes', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('expires_at', integer, zero)
      .addColumn('endpoint', text(40), blank)
      .addColumn('model', text(255), blank)
      .addColumn('line_count', integer, zero)
      .addColumn('input_bound', integer, zero)
      .addColumn('longest_input', integer, zero)
      .addColumn('output_bound', integer, zero)
      .addColumn('answers', integer, zero)
      .addColumn('open_answers', integer, zero)
      .addColumn('has_media', flag, zero)
      .addColumn('thinks', flag, zero),
  )
  await index('files_owner', 'files', ['user_id', 'id'])
  await keyed('batches', rows =>
    rows
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('upstream_id', text(191), blank)
      .addColumn('file_id', text(64), required)
      .addColumn('endpoint', text(40), required)
      .addColumn('model', text(255), required)
      .addColumn('group', text(64), required)
      .addColumn('request_id', text(64), required)
      .addColumn('state', text(20), required)
      .addColumn('line_count', integer, required)
      .addColumn('input_bound', integer, required)
      .addColumn('completion_window', text(20), required)
      .addColumn('metadata', longText, required)
      .addColumn('data', longText, required)
      .addColumn('output_file_id', text(64), blank)
      .addColumn('error_file_id', text(64), blank)
      .addColumn('submitted_at', integer, required)
      .addColumn('lost_at', integer, zero)
      .addColumn('checked_at', integer, zero)
      .addColumn('next_poll_at', integer, required)
      .addColumn('claim', text(40), blank),
  )
  await index('batches_owner', 'batches', ['user_id', 'id'])
  await index('batches_due', 'batches', ['state', 'next_poll_at'])
  await index('batches_claim', 'batches', ['claim'])
  await index('batches_request', 'batches', ['request_id'], 'unique')
}
