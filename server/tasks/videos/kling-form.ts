import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'
import { isShortOfQuota } from '../../relay/short-of-quota.ts'
import type { OwnVideo } from './find-video.ts'
import { resultLink } from './result-link.ts'
import type { VideoWish } from './wish.ts'

const PREFIX = '/kling/v1/videos/'
const kinds = '(?<kind>text2video|image2video)'

export const klingPaths = {
  create: new RegExp(`^${PREFIX}${kinds}$`),
  retrieve: new RegExp(`^${PREFIX}${kinds}/(?<id>[\\w-]{1,64})$`),
}

export function isKlingPath(path: string): boolean {
  return path.startsWith(PREFIX)
}

/** Which of the two addresses was called decides what it is made from. */
export function readKling(wish: VideoWish, kind: string | undefined): VideoWish {
  const pictures = kind === 'image2video' ? wish.pictures() : []
  if (kind === 'image2video' && pictures.length === 0) refuseField('image', 'field.required')
  return { ...wish, pictures: () => pictures }
}

const statuses: Readonly<Record<string, string>> = {
  IN_PROGRESS: 'processing',
  SUCCESS: 'succeed',
  FAILURE: 'failed',
}

/** A video as Kling's own clients read one. */
export function showKling(
  parts: RelayParts,
  { run, row }: OwnVideo,
  { request, requestId }: Incoming,
): JsonObject {
  const task: JsonObject = {
    task_id: row.task_id,
    task_status: statuses[row.status] ?? 'submitted',
    task_status_msg: row.fail_reason,
    task_info: {},
    created_at: row.submit_time * 1000,
    updated_at: row.updated_at * 1000,
  }
  if (row.status === 'SUCCESS') {
    const duration = String(parseObject(row.data)?.seconds ?? run.calls)
    task.task_result = {
      videos: [{ id: row.task_id, url: resultLink(parts, row.task_id, request), duration }],
    }
  }
  return { code: 0, message: 'SUCCEED', request_id: requestId, data: task }
}

const codes: Readonly<Record<number, number>> = { 401: 1002, 402: 1101, 403: 1103, 404: 1203, 429: 1302 }

/** An error as Kling's own clients read one. */
export function refuseAsKling(error: unknown, incoming: Incoming): Response {
  const { status, message } = asProblem(error, incoming)
  const code = isShortOfQuota(error) ? 1102 : (codes[status] ?? (status < 500 ? 1201 : 5000))
  return Response.json({ code, message, request_id: incoming.requestId }, { status })
}
