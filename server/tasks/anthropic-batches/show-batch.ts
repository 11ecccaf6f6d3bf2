import { asObject, parseObject } from '../../dialects/json.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { type BatchRow, batchStates } from '../batches/batch-rows.ts'
import { PATH } from './account.ts'

/** The vendor gives itself a day. */
const DAY = 86_400

/** In Anthropic's form, under our id. That it has ended is told when it is paid, and only then what it made. */
export function showBatch(parts: RelayParts, row: BatchRow, request: Request) {
  const data = parseObject(row.data) ?? {}
  const created = new Date(row.submitted_at * 1000).toISOString()
  const expires = new Date((row.submitted_at + DAY) * 1000).toISOString()
  const processing = { processing: row.line_count, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
  return {
    id: row.id,
    type: 'message_batch',
    processing_status: data.processing_status ?? 'in_progress',
    request_counts: asObject(data.request_counts) ?? processing,
    ended_at: data.ended_at ?? null,
    created_at: data.created_at ?? created,
    expires_at: data.expires_at ?? expires,
    archived_at: data.archived_at ?? null,
    cancel_initiated_at: data.cancel_initiated_at ?? null,
    results_url: hasResults(row) ? `${addressOf(parts, request)}${PATH}/${row.id}/results` : null,
  }
}

/** What came to nothing by no word of the vendor's has none. */
export function hasResults({ state, data }: BatchRow): boolean {
  return state === batchStates.ended && parseObject(data)?.is_lost !== true
}

function addressOf({ settings }: RelayParts, request: Request): string {
  return settings.get('ServerAddress').replace(/\/+$/, '') || new URL(request.url).origin
}
