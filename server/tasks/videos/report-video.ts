import type { Json, JsonObject } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'

/** In OpenAI's words, which the records keep and both clients' forms are made of. */
const statuses = {
  queued: ['running', 'QUEUED', 0],
  in_progress: ['running', 'IN_PROGRESS', 50],
  completed: ['done', 'SUCCESS', 100],
  failed: ['failed', 'FAILURE', 100],
} as const satisfies Record<string, readonly [TaskReport['outcome'], string, number]>

export type VideoStatus = keyof typeof statuses

/** What a vendor says of a video. */
export interface VideoNews {
  readonly status: VideoStatus
  /** From 0 to 100; most vendors do not say. */
  readonly progress?: number | undefined
  /** Seconds since 1970. */
  readonly completedAt?: number | undefined
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined
  /** How long it is, and whatever else OpenAI's form has a place for. */
  readonly seconds?: Json | undefined
  readonly more?: JsonObject | undefined
}

export function isVideoStatus(said: string): said is VideoStatus {
  return Object.hasOwn(statuses, said)
}

export function reportVideo(upstream: Upstream, news: VideoNews): TaskReport {
  const { status, error, seconds, completedAt, more } = news
  const [outcome, word, usual] = statuses[status]
  const reason = upstream.clean(error?.message ?? '')
  const progress = Math.min(100, Math.max(0, Math.round(news.progress ?? usual)))
  return {
    outcome,
    status: word,
    progress: outcome === 'running' ? `${progress}%` : '100%',
    failReason: outcome === 'failed' ? reason || 'failed' : '',
    startedAt: 0,
    finishedAt: (completedAt ?? 0) * 1000,
    data: {
      status,
      ...(seconds !== undefined && seconds !== null && { seconds }),
      ...(completedAt !== undefined && { completed_at: completedAt }),
      ...more,
      ...(error && { error: { code: upstream.clean(error.code ?? 'failed'), message: reason } }),
    },
  }
}
