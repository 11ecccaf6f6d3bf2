import { parseObject } from '../../dialects/json.ts'
import type { BatchRow } from '../batches/batch-rows.ts'

/** In OpenAI's form, under our ids. That it has ended is told when it is paid, and only then what it made. */
export function showBatch(row: BatchRow) {
  const data = parseObject(row.data) ?? {}
  return {
    id: row.id,
    object: 'batch',
    endpoint: row.endpoint,
    model: row.model,
    errors: data.errors ?? null,
    input_file_id: row.file_id,
    completion_window: row.completion_window,
    status: data.status ?? 'validating',
    output_file_id: row.output_file_id || null,
    error_file_id: row.error_file_id || null,
    created_at: row.submitted_at,
    in_progress_at: data.in_progress_at ?? null,
    expires_at: data.expires_at ?? null,
    finalizing_at: data.finalizing_at ?? null,
    completed_at: data.completed_at ?? null,
    failed_at: data.failed_at ?? null,
    expired_at: data.expired_at ?? null,
    cancelling_at: data.cancelling_at ?? null,
    cancelled_at: data.cancelled_at ?? null,
    request_counts: data.request_counts ?? { total: 0, completed: 0, failed: 0 },
    metadata: parseObject(row.metadata) ?? null,
  }
}
