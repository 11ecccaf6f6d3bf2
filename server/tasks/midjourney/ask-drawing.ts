import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'
import type { Accepted } from '../submit.ts'
import { type Action, actions, opensWindow } from './actions.ts'
import { notifyAddress } from './notify.ts'
import { readId } from './read-task.ts'

/** What a proxy answers to a submission. */
export const codes = {
  accepted: 1,
  noAccount: 3,
  exists: 21,
  queued: 22,
  full: 23,
  banned: 24,
  busy: 30,
} as const

const SUBMIT_MS = 120_000

interface Asked {
  readonly id: string
  readonly action: Action
  readonly path: string
  readonly body: JsonObject
}

export async function askDrawing(parts: RelayParts, upstream: Upstream, asked: Asked): Promise<Accepted> {
  const { id, action, path } = asked
  const notifyHook = notifyAddress(parts, id)
  const body = { ...asked.body, ...(notifyHook && { notifyHook }) }
  const answer = asObject(await upstream.json({ method: 'POST', path, body, timeoutMs: SUBMIT_MS }))
  const code = answer?.code
  if (!answer || typeof code !== 'number') throw new UpstreamFailure({ without: 'empty' })
  if (code !== codes.accepted && code !== codes.exists && code !== codes.queued)
    throw upstream.refusal(readRefusal(200, answer))
  // Pictures that were put up somewhere are the result themselves.
  if (action === actions.upload) return { upstreamId: '', report: finished('SUCCESS'), code, body: answer }
  const upstreamId = readId(answer.result)
  if (!upstreamId) throw new UpstreamFailure({ without: 'empty' })
  return { upstreamId, report: reportOf(action, code, answer), code, body: answer }
}

/** Something that exists already may be finished. */
function reportOf(action: Action, code: number, { properties }: JsonObject): TaskReport {
  const known = asObject(properties)
  const imageUrl = asText(known?.imageUrl)
  if (code === codes.exists && !opensWindow(action) && known?.status === 'SUCCESS' && imageUrl)
    return { ...finished('SUCCESS'), drawing: { image_url: imageUrl } }
  const status = code === codes.exists && opensWindow(action) ? 'MODAL' : 'SUBMITTED'
  return { outcome: 'running', status, progress: '0%', failReason: '', startedAt: 0, finishedAt: 0 }
}

function finished(status: string): TaskReport {
  return { outcome: 'done', status, progress: '100%', failReason: '', startedAt: Date.now(), finishedAt: 0 }
}

/** How the rest of the house judges a refusal: whose fault it is, and whether another channel may do better. */
const judged: Readonly<Record<number, number>> = {
  [codes.noAccount]: 503,
  [codes.full]: 429,
  [codes.busy]: 429,
}

export function readRefusal(status: number, body: unknown): Problem {
  const said = asObject(body)
  const code = typeof said?.code === 'number' ? said.code : undefined
  const message =
    asText(said?.description) || asText(said?.message) || `The upstream answered with status ${status}`
  return {
    status: status >= 400 ? status : ((code !== undefined ? judged[code] : undefined) ?? 400),
    message,
    code: code === undefined ? null : String(code),
    type: 'upstream_error',
  }
}
