import type { Selectable } from 'kysely'
import type { RelayParts } from '../relay/parts.ts'
import type { Tasks } from '../store/task-schema.ts'

export type TaskRow = Selectable<Tasks>

/** Records of this user's tasks, by our ids. */
export async function findTaskRows(
  { store }: RelayParts,
  platform: string,
  userId: number,
  ids: readonly string[],
): Promise<TaskRow[]> {
  if (ids.length === 0) return []
  return store.db
    .selectFrom('tasks')
    .selectAll()
    .where('task_id', 'in', ids)
    .where('platform', '=', platform)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}
