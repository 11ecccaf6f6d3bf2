import type { JsonObject } from '../../dialects/json.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { OwnVideo } from './find-video.ts'
import { resultLink } from './result-link.ts'
import { showVideo } from './show-video.ts'

/** A video as the clients of this family's tasks read one. */
export function showGeneration(parts: RelayParts, { run, row }: OwnVideo, request: Request): JsonObject {
  const isDone = row.status === 'SUCCESS'
  return {
    task_id: row.task_id,
    action: row.action,
    status: row.status || 'SUBMITTED',
    progress: row.progress,
    fail_reason: row.fail_reason,
    result_url: isDone ? resultLink(parts, row.task_id, request) : '',
    submit_time: row.submit_time,
    start_time: row.start_time,
    finish_time: row.finish_time,
    data: showVideo(row, run.calls),
  }
}
