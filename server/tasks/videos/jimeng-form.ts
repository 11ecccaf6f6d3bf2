import { asArray, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'
import type { TaskBody } from '../task-words.ts'
import type { OwnVideo } from './find-video.ts'
import { resultLink } from './result-link.ts'

/** With the slash that its clients put before their query, or without. */
export const jimengPath = /^\/jimeng\/?$/

const GOOD = 10_000
const FRAMES_A_SECOND = 24
const submits = new Set(['CVSync2AsyncSubmitTask', 'CVSubmitTask'])
const inquiries = new Set(['CVSync2AsyncGetResult', 'CVGetResult'])

function actionOf({ url }: Request): string {
  return new URL(url).searchParams.get('Action') ?? ''
}

/** Both of its calls are sent to one address: what it is about stands in the query. */
export function asksAfterJimeng(request: Request): boolean {
  return inquiries.has(actionOf(request))
}

export function refuseOtherActions({ request, path }: Incoming): void {
  if (submits.has(actionOf(request))) return
  throw new AppError('request.not-found', { method: request.method, path: path.slice(0, 200) })
}

/** A model is a `req_key` there, and a length so many frames. */
export function readJimeng({ fields, form }: TaskBody): TaskBody {
  const { req_key, image_urls, binary_data_base64, frames, ...rest } = fields
  const images = [...asArray(image_urls), ...asArray(binary_data_base64)]
  const seconds = secondsIn(frames)
  const read: JsonObject = { ...rest, model: req_key ?? refuseField('req_key', 'field.required') }
  if (images.length > 0) read.images = images
  if (seconds !== undefined) read.seconds = seconds
  return form ? { fields: read, form } : { fields: read }
}

/** One more than those of whole seconds, which are paid. */
function secondsIn(frames: TaskBody['fields'][string]): number | undefined {
  if (frames === undefined || frames === null) return undefined
  const seconds = (Number(frames) - 1) / FRAMES_A_SECOND
  if (Number.isInteger(seconds) && seconds >= 1) return seconds
  refuseField('frames', 'field.one-of', { choices: '121, 241' })
}

/** Whose progress is asked for. */
export function readJimengId({ task_id }: JsonObject): string {
  return asText(task_id)?.slice(0, 64) || refuseField('task_id', 'field.required')
}

export function acceptAsJimeng({ row }: OwnVideo, incoming: Incoming): Response {
  return answer(GOOD, 'Success', { task_id: row.task_id }, incoming)
}

const statuses: Readonly<Record<string, string>> = { IN_PROGRESS: 'generating', SUCCESS: 'done' }

/** A video as Jimeng's own clients read one; what failed stands where a refusal does. */
export function showJimeng(parts: RelayParts, { row }: OwnVideo, incoming: Incoming): Response {
  if (row.status === 'FAILURE') return answer(50_511, row.fail_reason, { status: 'done' }, incoming, 400)
  const data: JsonObject = { status: statuses[row.status] ?? 'in_queue' }
  if (row.status === 'SUCCESS') data.video_url = resultLink(parts, row.task_id, incoming.request)
  return answer(GOOD, 'Success', data, incoming)
}

const codes: Readonly<Record<number, number>> = { 401: 50_400, 403: 50_400, 429: 50_429 }

/** An error as Jimeng's own clients read one. That it knows no such video is none there. */
export function refuseAsJimeng(error: unknown, incoming: Incoming): Response {
  if (error instanceof AppError && error.code === 'video.not-found')
    return answer(GOOD, 'Success', { status: 'not_found' }, incoming)
  const { status, message } = asProblem(error, incoming)
  const code = codes[status] ?? (status < 500 ? 50_215 : 50_500)
  return answer(code, message, null, incoming, status)
}

function answer(
  code: number,
  message: string,
  data: JsonObject | null,
  { requestId }: Incoming,
  status = 200,
): Response {
  return Response.json({ code, data, message, request_id: requestId, status: code }, { status })
}
