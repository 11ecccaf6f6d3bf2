import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Files, caches and batches that Gemini accounts keep for our users. */
export async function gemini(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, flag, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('gemini_files', files =>
    files
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('name', text(64), required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('upload_hash', text(64), required)
      .addColumn('upload_sealed', longText, required)
      .addColumn('upstream_name', text(191), blank)
      .addColumn('bytes', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('expires_at', integer, required)
      .addColumn('data', longText, required),
  )
  await index('gemini_files_owner', 'gemini_files', ['user_id', 'id'])
  await index('gemini_files_name', 'gemini_files', ['user_id', 'name'], 'unique')
  await index('gemini_files_upload', 'gemini_files', ['upload_hash'], 'unique')
  await index('gemini_files_expiry', 'gemini_files', ['expires_at'])
  await keyed('gemini_caches', caches =>
    caches
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('made_by', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('key_hash', text(64), blank)
      .addColumn('upstream_name', text(191), blank)
      .addColumn('model', text(255), required)
      .addColumn('group', text(64), required)
      .addColumn('title', text(128), blank)
      .addColumn('state', text(20), required)
      .addColumn('request_id', text(64), required)
      .addColumn('storage_price', text(40), required)
      .addColumn('has_sound', flag, zero)
      .addColumn('tokens', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('changed_at', integer, required)
      .addColumn('expires_at', integer, required)
      .addColumn('paid_until', integer, required)
      .addColumn('wanted_until', integer, required),
  )
  await index('gemini_caches_owner', 'gemini_caches', ['user_id', 'id'])
  await index('gemini_caches_request', 'gemini_caches', ['request_id'])
  await index('gemini_caches_state', 'gemini_caches', ['state', 'changed_at'])
  await index('gemini_caches_expiry', 'gemini_caches', ['expires_at'])
  await keyed('gemini_batches', batches =>
    batches
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('key_hash', text(64), blank)
      .addColumn('upstream_name', text(191), blank)
      .addColumn('model', text(255), required)
      .addColumn('group', text(64), required)
      .addColumn('title', text(128), blank)
      .addColumn('request_id', text(64), required)
      .addColumn('state', text(20), required)
      .addColumn('request_count', integer, required)
      .addColumn('input_bound', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('lost_at', integer, zero)
      .addColumn('next_poll_at', integer, required)
      .addColumn('data', longText, required),
  )
  await index('gemini_batches_owner', 'gemini_batches', ['user_id', 'id'])
  await index('gemini_batches_request', 'gemini_batches', ['request_id'], 'unique')
  await index('gemini_batches_due', 'gemini_batches', ['state', 'next_poll_at'])
}
