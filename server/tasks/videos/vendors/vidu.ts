import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import type { Problem } from '../../../dialects/spec.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo, type VideoStatus } from '../report-video.ts'
import type { SeenVideo, VideoVendor } from '../vendor.ts'
import { codeOf, ownFields, ratioFor, resolutionFor, type VideoWish } from '../wish.ts'

const BASE = '/ent/v2'
const USUAL_SECONDS = 5
/** The older models make less by themselves. */
const OLDER = /^vidu[12]\./
const OLDER_SECONDS = 4
const shapes = ['16:9', '9:16', '3:4', '4:3', '1:1']
const grades = ['360p', '540p', '720p', '1080p']
const own = ['seed', 'movement_amplitude', 'bgm', 'watermark']
const ownOf = {
  text2video: [...own, 'style'],
  img2video: [...own, 'audio', 'voice_id'],
  'start-end2video': own,
  reference2video: own,
} as const

const statuses: Readonly<Record<string, VideoStatus>> = {
  created: 'queued',
  queueing: 'queued',
  processing: 'in_progress',
  success: 'completed',
  failed: 'failed',
}

export const vidu: VideoVendor = {
  channelTypes: [52],
  baseUrl: 'https://api.vidu.cn',
  headers: key => ({ authorization: `Token ${key}` }),
  readRefusal,
  saysUnknown: ({ status, code, message }) =>
    status === 404 && Boolean(code) && /not.?(found|exist)/i.test(`${code} ${message}`),
  ask,
  look: async (upstream, id) => {
    const path = `${BASE}/tasks/${encodeURIComponent(id)}/creations`
    return readTask(upstream, asObject(await upstream.json({ path })) ?? {})
  },
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const pictures = wish.pictures()
  const kind = kindOf(pictures.length)
  const seconds = wish.seconds ?? (OLDER.test(model) ? OLDER_SECONDS : USUAL_SECONDS)
  const resolution = resolutionFor(wish, grades)
  // A picture has a shape of its own; several only say what it is to look like.
  const ratio = kind === 'img2video' || kind === 'start-end2video' ? undefined : ratioFor(wish, shapes)
  const body = {
    model,
    prompt: wish.prompt,
    ...(pictures.length > 0 && { images: pictures }),
    duration: seconds,
    ...(resolution !== undefined && { resolution }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...ownFields(wish, ownOf[kind]),
  }
  const asking = { method: 'POST', path: `${BASE}/${kind}`, body, timeoutMs: SUBMIT_MS } as const
  const answer = asObject(await upstream.json(asking)) ?? {}
  return acceptVideo(upstream, codeOf(answer.task_id), seconds, answer)
}

function kindOf(pictures: number): keyof typeof ownOf {
  if (pictures === 0) return 'text2video'
  if (pictures === 1) return 'img2video'
  return pictures === 2 ? 'start-end2video' : 'reference2video'
}

function readRefusal(status: number, body: unknown): Problem {
  const said = asObject(body)
  const code = asText(said?.reason) || asText(said?.err_code) || codeOf(said?.code)
  const message = asText(said?.message) || code || `The upstream answered with status ${status}`
  return { status, message, code, type: 'upstream_error' }
}

function readTask(upstream: Upstream, task: JsonObject): SeenVideo | undefined {
  const status = statuses[asText(task.state) ?? '']
  if (status === undefined) return undefined
  const code = asText(task.err_code)
  const report = reportVideo(upstream, {
    status,
    error: status === 'failed' ? { code, message: code } : undefined,
  })
  return { report, url: asText(asObject(asArray(task.creations)[0])?.url) }
}
