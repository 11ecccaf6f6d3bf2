import { type JsonObject, parseObject } from '../../dialects/json.ts'
import type { TaskRow } from '../task-rows.ts'
import { originalOf } from './find-video.ts'

/** A video in OpenAI's form, under our id. `paid` is for how many seconds. */
export function showVideo(row: TaskRow, paid: number): JsonObject {
  const data = parseObject(row.data) ?? {}
  const { model, size, prompt, from } = originalOf(row)
  const isFailed = row.status === 'FAILURE'
  const isDone = row.status === 'SUCCESS'
  return {
    id: row.task_id,
    object: 'video',
    created_at: row.submit_time,
    status: isFailed ? 'failed' : (data.status ?? 'queued'),
    completed_at: data.completed_at ?? (isDone ? row.finish_time : null),
    expires_at: data.expires_at ?? null,
    error: isFailed ? (data.error ?? { code: 'failed', message: row.fail_reason }) : null,
    model,
    progress: Number(row.progress.replace('%', '')) || 0,
    prompt,
    remixed_from_video_id: from || null,
    seconds: String(data.seconds ?? paid),
    size: data.size ?? size,
    ...(data.quality === undefined ? {} : { quality: data.quality }),
  }
}
