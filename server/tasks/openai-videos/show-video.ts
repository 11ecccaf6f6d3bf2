import { type JsonObject, parseObject } from '../../dialects/json.ts'
import type { TaskRow } from '../task-rows.ts'
import { originalOf } from './find-video.ts'

/** A video in OpenAI's form, under our id. */
export function showVideo(row: TaskRow): JsonObject {
  const data = parseObject(row.data) ?? {}
  const { model, size, prompt, from } = originalOf(row)
  const isFailed = row.status === 'FAILURE'
  return {
    id: row.task_id,
    object: 'video',
    created_at: row.submit_time,
    status: isFailed ? 'failed' : (data.status ?? 'queued'),
    completed_at: data.completed_at ?? null,
    expires_at: data.expires_at ?? null,
    error: isFailed ? (data.error ?? { code: 'failed', message: row.fail_reason }) : null,
    model,
    progress: Number(row.progress.replace('%', '')) || 0,
    prompt,
    remixed_from_video_id: from || null,
    seconds: data.seconds === undefined ? '' : String(data.seconds),
    size: data.size ?? size,
    ...(data.quality === undefined ? {} : { quality: data.quality }),
  }
}
