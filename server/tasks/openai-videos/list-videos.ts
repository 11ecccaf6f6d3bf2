import type { OwnedCall, TaskProvider } from '../define.ts'
import { readLimit, readSought } from '../read-paging.ts'
import { runStates } from '../runs.ts'
import { showVideo } from './show-video.ts'

const USUAL = 20
const MOST = 100

/** The caller's own, the newest first unless asked otherwise. */
export async function listVideos(
  { parts, incoming, admitted }: OwnedCall,
  { platform }: TaskProvider,
): Promise<Response> {
  const query = new URL(incoming.request.url).searchParams
  const limit = readLimit(query.get('limit'), USUAL, MOST)
  const isRising = query.get('order') === 'asc'
  const after = readSought(query, 'after')
  let rows = parts.store.db
    .selectFrom('tasks')
    .innerJoin('task_runs', 'task_runs.id', 'tasks.task_id')
    .selectAll('tasks')
    .where('tasks.user_id', '=', admitted.caller.userId)
    .where('tasks.platform', '=', platform)
    .where('task_runs.upstream_id', '<>', '')
    .where('task_runs.state', '<>', runStates.deleted)
  if (after)
    rows = rows.where('tasks.id', isRising ? '>' : '<', row =>
      row
        .selectFrom('tasks as last')
        .select('last.id')
        .where('last.task_id', '=', after)
        .where('last.user_id', '=', admitted.caller.userId),
    )
  const found = await rows
    .orderBy('tasks.id', isRising ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const data = found.slice(0, limit).map(showVideo)
  return Response.json({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  })
}
