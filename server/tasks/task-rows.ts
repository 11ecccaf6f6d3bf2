import type { Selectable } from 'kysely'
import type { Tasks } from '../store/task-schema.ts'
import type { OwnedCall } from './define.ts'
import { withoutOthers } from './runs.ts'

export type TaskRow = Selectable<Tasks>

/** Records of the caller's tasks, by our ids. */
export async function findTaskRows(
  call: Pick<OwnedCall, 'parts' | 'admitted'>,
  platform: string,
  ids: readonly string[],
): Promise<TaskRow[]> {
  const own = await withoutOthers(call, ids)
  if (own.length === 0) return []
  return call.parts.store.db
    .selectFrom('tasks')
    .selectAll()
    .where('task_id', 'in', own)
    .where('platform', '=', platform)
    .where('user_id', '=', call.admitted.caller.userId)
    .orderBy('id')
    .execute()
}
