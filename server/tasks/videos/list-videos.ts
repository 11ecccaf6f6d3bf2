import { sharedTokens } from '../../relay/chat/shares-answers.ts'
import type { OwnedCall } from '../define.ts'
import { readPage, showPage } from '../page.ts'
import { runStates } from '../runs.ts'
import { PLATFORM } from './find-video.ts'
import { showVideo } from './show-video.ts'

const USUAL = 20
const MOST = 100

/** The caller's own, the newest first unless asked otherwise. */
export async function listVideos({ parts, incoming, admitted: { caller } }: OwnedCall): Promise<Response> {
  const page = readPage(new URL(incoming.request.url).searchParams, USUAL, MOST)
  const { after, isRising } = page
  const shared = await sharedTokens(parts, caller)
  let rows = parts.store.db
    .selectFrom('tasks')
    .innerJoin('task_runs', 'task_runs.id', 'tasks.task_id')
    .selectAll('tasks')
    .select('task_runs.calls')
    .where('tasks.user_id', '=', caller.userId)
    .where('tasks.platform', '=', PLATFORM)
    .where('task_runs.upstream_id', '<>', '')
    .where('task_runs.state', '<>', runStates.deleted)
  if (shared) rows = rows.where('task_runs.token_id', 'in', shared)
  if (after)
    rows = rows.where('tasks.id', isRising ? '>' : '<', row =>
      row
        .selectFrom('tasks as last')
        .select('last.id')
        .where('last.task_id', '=', after)
        .where('last.user_id', '=', caller.userId),
    )
  const found = await rows
    .orderBy('tasks.id', isRising ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  return showPage(found, page, row => showVideo(row, row.calls))
}
