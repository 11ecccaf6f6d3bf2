import { asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../../dialects/refuse.ts'
import type { Problem } from '../../../dialects/spec.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo } from '../report-video.ts'
import { signVolc } from '../sign-volc.ts'
import { type SeenVideo, UNKNOWN_TASK, type VideoVendor } from '../vendor.ts'
import { bareBase64, codeOf, ownFields, ratioFor, type VideoWish } from '../wish.ts'

const GOOD = '10000'
const USUAL_SECONDS = 5
const FRAMES_A_SECOND = 24
/** These make five seconds, whatever one says. */
const fixed = /_l20$/
const shapes = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
/** What is asked again may go well then; of the others, what was to be made was not fit to be. */
const passing = new Set(['50429', '50430', '50500', '50501'])

const at = (action: string): string => `/?Action=${action}&Version=2022-08-31`

/** Jimeng, at VolcEngine. A model is a `req_key`, which has to be said again when a video is asked after. */
export const jimeng: VideoVendor = {
  channelTypes: [51],
  baseUrl: 'https://visual.volcengineapi.com',
  headers: () => ({}),
  sign(key, request) {
    const [access = '', secret = ''] = key.split('|').map(part => part.trim())
    return signVolc({ access, secret, region: 'cn-north-1', service: 'cv' }, request, Date.now())
  },
  readRefusal,
  saysUnknown: ({ code }) => code === UNKNOWN_TASK,
  ask,
  look,
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const { prompt, seconds = USUAL_SECONDS } = wish
  const isFixed = fixed.test(model)
  if (isFixed && seconds !== USUAL_SECONDS)
    refuseField('seconds', 'field.one-of', { choices: String(USUAL_SECONDS) })
  const pictures = wish.pictures()
  if (pictures.length > 2) refuseNamed('images')
  const ratio = pictures.length === 0 ? ratioFor(wish, shapes) : undefined
  const body = {
    req_key: model,
    prompt,
    ...writePictures(pictures),
    ...(!isFixed && { frames: FRAMES_A_SECOND * seconds + 1 }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...ownFields(wish, ['seed']),
  }
  const data = await askJimeng(upstream, 'CVSync2AsyncSubmitTask', body)
  const id = codeOf(data.task_id)
  return acceptVideo(upstream, id && `${model}/${id}`, seconds, data)
}

/** All addresses, or all bytes. */
function writePictures(pictures: readonly string[]): JsonObject {
  if (pictures.length === 0) return {}
  const isNamed = pictures.map(picture => !picture.startsWith('data:'))
  if (new Set(isNamed).size > 1) refuseNamed('images')
  return isNamed[0] ? { image_urls: [...pictures] } : { binary_data_base64: pictures.map(bareBase64) }
}

async function askJimeng(upstream: Upstream, action: string, body: JsonObject): Promise<JsonObject> {
  const asking = { method: 'POST', path: at(action), body, timeoutMs: SUBMIT_MS } as const
  const answer = asObject(await upstream.json(asking)) ?? {}
  if (codeOf(answer.code) !== GOOD) throw upstream.refusal(readRefusal(400, answer))
  return asObject(answer.data) ?? {}
}

async function look(upstream: Upstream, id: string): Promise<SeenVideo | undefined> {
  const cut = id.lastIndexOf('/')
  const body = { req_key: id.slice(0, cut), task_id: id.slice(cut + 1) }
  try {
    return readTask(upstream, await askJimeng(upstream, 'CVSync2AsyncGetResult', body))
  } catch (error) {
    // What came of it stands where a refusal does.
    const problem = error instanceof UpstreamFailure ? error.problem : undefined
    if (!/^50\d{3}$/.test(problem?.code ?? '') || passing.has(problem?.code ?? '')) throw error
    const said = { code: problem?.code ?? undefined, message: problem?.message }
    return { report: reportVideo(upstream, { status: 'failed', error: said }) }
  }
}

function readTask(upstream: Upstream, task: JsonObject): SeenVideo | undefined {
  const url = asText(task.video_url)
  switch (task.status) {
    case 'in_queue':
      return { report: reportVideo(upstream, { status: 'queued' }) }
    case 'generating':
      return { report: reportVideo(upstream, { status: 'in_progress' }) }
    case 'done':
      return { report: reportVideo(upstream, { status: url ? 'completed' : 'failed' }), url }
    case 'not_found':
    case 'expired':
      throw upstream.refusal({ status: 404, message: task.status, code: UNKNOWN_TASK })
  }
  return undefined
}

/** Its own form, or that of the gateway before it, which looks at signatures. */
function readRefusal(status: number, body: unknown): Problem {
  const said = asObject(body)
  const gateway = asObject(asObject(said?.ResponseMetadata)?.Error)
  const code = asText(gateway?.Code) ?? codeOf(said?.code)
  const message =
    asText(gateway?.Message) || asText(said?.message) || `The upstream answered with status ${status}`
  return { status: statusOf(code, status), message, code, type: 'upstream_error' }
}

function statusOf(code: string | undefined, status: number): number {
  if (code === '50429' || code === '50430') return 429
  if (code === '50500' || code === '50501') return 500
  return status
}
