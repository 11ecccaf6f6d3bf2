import { asNumber, asObject, asText, type Json } from '../../dialects/json.ts'
import type { BatchReport } from '../batches/host.ts'

const statuses = new Set(['in_progress', 'canceling', 'ended'])
const counted = ['processing', 'succeeded', 'errored', 'canceled', 'expired'] as const

/** Undefined when this is no batch. */
export function readBatch(value: unknown): BatchReport | undefined {
  const batch = asObject(value)
  const upstreamId = asText(batch?.id)
  const status = asText(batch?.processing_status) ?? ''
  if (!batch || !upstreamId || !statuses.has(status)) return undefined
  const given = asObject(batch.request_counts) ?? {}
  const counts = Object.fromEntries(
    counted.map(name => [name, Math.max(0, Math.trunc(asNumber(given[name]) ?? 0))]),
  ) as Record<(typeof counted)[number], number>
  const isOver = status === 'ended'
  const why = asText(batch.cancel_initiated_at) ? 'canceled' : counts.expired > 0 ? 'expired' : 'errored'
  return {
    upstreamId,
    status,
    isOver,
    isDone: isOver && counts.succeeded > 0 && why !== 'canceled',
    isQueued: false,
    total: counted.reduce((sum, name) => sum + counts[name], 0),
    completed: counts.succeeded,
    usage: undefined,
    failReason: why,
    startedAt: readTime(batch.created_at),
    data: {
      processing_status: status,
      request_counts: counts,
      ...Object.fromEntries(times.map(name => [name, timeText(batch[name])])),
    },
  }
}

export const times = ['created_at', 'expires_at', 'ended_at', 'cancel_initiated_at', 'archived_at'] as const

/** In seconds; 0 for what is no time. */
export function readTime(value: Json | undefined): number {
  const ms = Date.parse(asText(value) ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}

function timeText(value: Json | undefined): string | null {
  const text = asText(value)
  return text && text.length <= 40 && !Number.isNaN(Date.parse(text)) ? text : null
}
