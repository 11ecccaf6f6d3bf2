import type { OwnedCall } from '../define.ts'
import { readPage, showPage } from '../page.ts'
import { runStates } from '../runs.ts'
import { PLATFORM } from './find-video.ts'
import { showVideo } from './show-video.ts'

const USUAL = 20
const MOST = 100

/** The caller's own, the newest first unless asked otherwise. */
export async function listVideos({ parts, incoming, admitted }: OwnedCall): Promise<Response> {
  const page = readPage(new URL(incoming.request.url).searchParams, USUAL, MOST)
  const { after, isRising } = page
  let rows = parts.store.db
    .selectFrom('tasks')
    .innerJoin('task_runs', 'task_runs.id', 'tasks.task_id')
    .selectAll('tasks')
    .select('task_runs.calls')
    .where('tasks.user_id', '=', admitted.caller.userId)
    .where('tasks.platform', '=', PLATFORM)
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
    .limit(page.limit + 1)
    .execute()
  return showPage(found, page, row => showVideo(row, row.calls))
}
