import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseNamed } from '../../../dialects/refuse.ts'
import type { Problem } from '../../../dialects/spec.ts'
import { signJwt } from '../../../providers/kit/keys/sign-jwt.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo, type VideoStatus } from '../report-video.ts'
import type { SeenVideo, VideoVendor } from '../vendor.ts'
import { bareBase64, codeOf, ownFields, ratioFor, secondsOf, type VideoWish } from '../wish.ts'

const USUAL_SECONDS = 5
const shapes = ['16:9', '9:16', '1:1']
const own = ['negative_prompt', 'cfg_scale', 'mode', 'sound', 'camera_control']
const ownOfPictures = [...own, 'static_mask', 'dynamic_masks', 'voice_list']
/** The account is the trouble, not how often it is asked. */
const owing = new Set(['1100', '1101', '1102'])

const statuses: Readonly<Record<string, VideoStatus>> = {
  submitted: 'queued',
  processing: 'in_progress',
  succeed: 'completed',
  failed: 'failed',
}

/** Kling. What it calls a video includes how that was begun: it is asked after at different addresses. */
export const kling: VideoVendor = {
  channelTypes: [50],
  baseUrl: 'https://api.klingai.com',
  headers: key => ({ authorization: `Bearer ${writeToken(key, Date.now())}` }),
  readRefusal,
  saysUnknown: ({ status, code, message }) =>
    (status === 404 && code === '1203') || /task\b.{0,40}\bnot (found|exist)/i.test(message),
  ask,
  look: async (upstream, id) => readTask(upstream, await askKling(upstream, { path: pathOf(id) })),
}

/** A gateway that speaks as Kling does has one key. */
function writeToken(key: string, at: number): string {
  const [access = '', secret] = key.split('|').map(part => part.trim())
  if (!secret) return key
  const now = Math.floor(at / 1000)
  return signJwt({ typ: 'JWT' }, { iss: access, exp: now + 1800, nbf: now - 5 }, secret)
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const { prompt, seconds = USUAL_SECONDS } = wish
  const [image, tail, more] = wish.pictures().map(bareBase64)
  if (more !== undefined) refuseNamed('images')
  const ratio = ratioFor(wish, shapes)
  const shared = { model_name: model, prompt, duration: String(seconds) }
  const kind = image === undefined ? 'text2video' : 'image2video'
  const body =
    image === undefined
      ? { ...shared, ...ownFields(wish, own), ...(ratio !== undefined && { aspect_ratio: ratio }) }
      : {
          ...shared,
          ...ownFields(wish, ownOfPictures),
          image,
          ...(tail !== undefined && { image_tail: tail }),
        }
  const data = await askKling(upstream, {
    method: 'POST',
    path: `/v1/videos/${kind}`,
    body,
    timeoutMs: SUBMIT_MS,
  })
  const id = asText(data.task_id)
  return acceptVideo(upstream, id && `${kind}/${id}`, seconds, data)
}

function pathOf(id: string): string {
  return `/v1/videos/${id.split('/').map(encodeURIComponent).join('/')}`
}

/** What it answers, without the cover in which a refusal may come with a good status. */
async function askKling(upstream: Upstream, asking: Parameters<Upstream['json']>[0]): Promise<JsonObject> {
  const answer = asObject(await upstream.json(asking)) ?? {}
  if (answer.code !== undefined && answer.code !== 0) throw upstream.refusal(readRefusal(400, answer))
  return asObject(answer.data) ?? {}
}

function readRefusal(status: number, body: unknown): Problem {
  const said = asObject(body)
  const code = codeOf(said?.code)
  const message = asText(said?.message) || `The upstream answered with status ${status}`
  return { status: owing.has(code ?? '') ? 402 : status, message, code, type: 'upstream_error' }
}

function readTask(upstream: Upstream, task: JsonObject): SeenVideo | undefined {
  const status = statuses[asText(task.task_status) ?? '']
  if (status === undefined) return undefined
  const [video] = asArray(asObject(task.task_result)?.videos).map(asObject)
  const report = reportVideo(upstream, {
    status,
    error: status === 'failed' ? { message: asText(task.task_status_msg) } : undefined,
    seconds: secondsOf(video?.duration),
  })
  return { report, url: asText(video?.url) }
}
