import type { Json, JsonObject } from '../../dialects/json.ts'
import type { TaskRow } from '../task-rows.ts'

/** A song in the words of its clients. */
export function showSong(row: TaskRow): JsonObject {
  return {
    task_id: row.task_id,
    notify_hook: '',
    action: row.action,
    status: row.status,
    fail_reason: row.fail_reason,
    submit_time: row.submit_time,
    start_time: row.start_time,
    finish_time: row.finish_time,
    progress: row.progress,
    data: readData(row.data),
  }
}

function readData(text: string): Json {
  try {
    return text === '' ? null : (JSON.parse(text) as Json)
  } catch {
    return null
  }
}
