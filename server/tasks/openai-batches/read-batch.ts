import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'
import type { BatchRow } from './batch-rows.ts'

/** What an upstream says of a batch. */
export interface BatchReport {
  readonly upstreamId: string
  readonly status: string
  readonly isOver: boolean
  /** The upstream's names for them. */
  readonly outputFileId: string | undefined
  readonly errorFileId: string | undefined
  /** How many requests there are, and how many were answered. */
  readonly total: number
  readonly completed: number
  /** In all, where it says. */
  readonly usage: JsonObject | undefined
  /** What its owner may see: nothing that names it at its upstream. */
  readonly data: JsonObject
}

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
  return {
    upstreamId,
    status,
    isOver: over.has(status),
    outputFileId: asText(batch.output_file_id) || undefined,
    errorFileId: asText(batch.error_file_id) || undefined,
    total: request_counts.total,
    completed: request_counts.completed,
    usage: asObject(batch.usage),
    data: {
      status,
      request_counts,
      errors: readErrors(batch.errors, clean),
      ...Object.fromEntries(times.map(name => [name, asNumber(batch[name]) ?? null])),
    },
  }
}

function readErrors(value: Json | undefined, clean: (text: Json | undefined) => string): Json {
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

/** The same in the words of the records that people look through. */
export function asRecord({ status, isOver, completed, total, data }: BatchReport): TaskReport {
  const isDone = status === 'completed'
  const [first] = asArray(asObject(data.errors)?.data)
  return {
    outcome: isOver ? (isDone ? 'done' : 'failed') : 'running',
    status: isOver ? (isDone ? 'SUCCESS' : 'FAILURE') : status === 'validating' ? 'QUEUED' : 'IN_PROGRESS',
    progress: isOver ? '100%' : `${total > 0 ? Math.min(100, Math.floor((completed / total) * 100)) : 0}%`,
    failReason: isOver && !isDone ? asText(asObject(first)?.message) || status : '',
    startedAt: (asNumber(data.in_progress_at) ?? 0) * 1000,
    finishedAt: 0,
  }
}
