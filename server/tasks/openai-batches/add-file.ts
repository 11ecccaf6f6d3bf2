import type { Transaction } from 'kysely'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import type { BatchRow } from '../batches/batch-rows.ts'
import { newFileId } from './file-rows.ts'

/** What it made belongs to whom the batch does. */
export async function addFile(
  transaction: Transaction<Schema>,
  parts: RelayParts,
  batch: BatchRow,
  upstreamId: string | undefined,
  kind: 'output' | 'error',
  bytes: number,
): Promise<string> {
  if (!upstreamId) return ''
  const id = newFileId()
  await transaction
    .insertInto('files')
    .values({
      ...{ id, user_id: batch.user_id, token_id: batch.token_id },
      ...{ channel_id: batch.channel_id, key_hash: batch.key_hash },
      upstream_id: upstreamId.slice(0, 191),
      purpose: 'batch_output',
      filename: `${batch.id}_${kind}.jsonl`,
      bytes,
      created_at: parts.now(),
      ...{ expires_at: 0, endpoint: '', model: '', line_count: 0, input_bound: 0, longest_input: 0 },
      ...{ output_bound: 0, answers: 0, open_answers: 0, has_media: 0, thinks: 0 },
    })
    .execute()
  return id
}
