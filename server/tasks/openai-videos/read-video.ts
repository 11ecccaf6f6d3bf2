import { asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'

const statuses = {
  queued: ['running', 'QUEUED'],
  in_progress: ['running', 'IN_PROGRESS'],
  completed: ['done', 'SUCCESS'],
  failed: ['failed', 'FAILURE'],
} as const satisfies Record<string, readonly [TaskReport['outcome'], string]>

/** A video as its vendor tells of it; undefined when this is none. */
export function readVideo(upstream: Upstream, value: unknown): TaskReport | undefined {
  const video = asObject(value)
  const said = asText(video?.status)
  if (!video || said === undefined || !isStatus(said)) return undefined
  const [outcome, status] = statuses[said]
  const error = asObject(video.error)
  const reason = upstream.clean(asText(error?.message) ?? '')
  const progress = Math.min(100, Math.max(0, Math.round(asNumber(video.progress) ?? 0)))
  return {
    outcome,
    status,
    progress: outcome === 'running' ? `${progress}%` : '100%',
    failReason: outcome === 'failed' ? reason || 'failed' : '',
    startedAt: 0,
    finishedAt: (asNumber(video.completed_at) ?? 0) * 1000,
    data: keep(video, error && { code: asText(error.code) ?? 'failed', message: reason }),
  }
}

function isStatus(said: string): said is keyof typeof statuses {
  return Object.hasOwn(statuses, said)
}

/** Everything of it but what names it at its vendor. */
function keep(video: JsonObject, error: Json | undefined): JsonObject {
  const { status, progress, created_at, completed_at, expires_at, seconds, size, quality } = video
  return { status, progress, created_at, completed_at, expires_at, seconds, size, quality, error }
}
