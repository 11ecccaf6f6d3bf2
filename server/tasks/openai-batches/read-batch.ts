import { asArray, asNumber, asObject, asText, type Json } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from '../batches/batch-rows.ts'
import type { BatchReport } from '../batches/host.ts'

const running = new Set(['validating', 'in_progress', 'finalizing', 'cancelling'])
const over = new Set(['completed', 'failed', 'expired', 'cancelled'])
const times = [
  ...['in_progress_at', 'expires_at', 'finalizing_at', 'completed_at'],
  ...['failed_at', 'expired_at', 'cancelling_at', 'cancelled_at'],
] as const

/** Undefined when this is no batch. */
export function readBatch(
  upstream: Upstream,
  value: unknown,
  { file_id }: Pick<BatchRow, 'file_id'>,
): BatchReport | undefined {
  const batch = asObject(value)
  const upstreamId = asText(batch?.id)
  const status = asText(batch?.status) ?? ''
  if (!batch || !upstreamId || !(running.has(status) || over.has(status))) return undefined
  const counts = asObject(batch.request_counts) ?? {}
  const count = (name: string): number => Math.max(0, Math.trunc(asNumber(counts[name]) ?? 0))
  const request_counts = { total: count('total'), completed: count('completed'), failed: count('failed') }
  const inputFile = asText(batch.input_file_id)
  const clean = (text: Json | undefined): string => {
    const cleaned = upstream.clean(asText(text) ?? '')
    return inputFile ? cleaned.replaceAll(inputFile, file_id) : cleaned
  }
  const errors = readErrors(batch.errors, clean)
  return {
    upstreamId,
    status,
    isOver: over.has(status),
    isDone: status === 'completed',
    isQueued: status === 'validating',
    failReason: asText(errors?.data[0]?.message) ?? '',
    startedAt: asNumber(batch.in_progress_at) ?? 0,
    outputFileId: asText(batch.output_file_id) || undefined,
    errorFileId: asText(batch.error_file_id) || undefined,
    total: request_counts.total,
    completed: request_counts.completed,
    usage: asObject(batch.usage),
    data: {
      status,
      request_counts,
      errors,
      ...Object.fromEntries(times.map(name => [name, asNumber(batch[name]) ?? null])),
    },
  }
}

function readErrors(value: Json | undefined, clean: (text: Json | undefined) => string) {
  const errors = asArray(asObject(value)?.data)
    .slice(0, 100)
    .map(one => {
      const { code, line, message, param } = asObject(one) ?? {}
      return {
        code: clean(code),
        line: asNumber(line) ?? null,
        message: clean(message),
        param: asText(param) ?? null,
      }
    })
  return errors.length === 0 ? null : { object: 'list', data: errors }
}
