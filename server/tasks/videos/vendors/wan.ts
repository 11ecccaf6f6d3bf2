import { asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../../dialects/refuse.ts'
import { hostOf } from '../../../providers/ali/address.ts'
import { ali } from '../../../providers/ali/provider.ts'
import { readProblem } from '../../../providers/ali/read-failure.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo, type VideoStatus } from '../report-video.ts'
import { type SeenVideo, UNKNOWN_TASK, type VideoVendor } from '../vendor.ts'
import { ownFields, ratioFor, resolutionFor, secondsOf, type VideoWish } from '../wish.ts'

const SERVICES = '/api/v1/services/aigc'
const USUAL_SECONDS = 5
/** These take resolution and ratio, and their pictures in a list; older ones take pixels, and pictures by name. */
const newer = /^wan(2\.[7-9]|[3-9])/i
/** These make five seconds, whatever one says. */
const fixed = /^wan(x|2\.[0-2])/i
const shapes = ['16:9', '9:16', '1:1', '4:3', '3:4']
const grades = ['480P', '720P', '1080P']
/** What the older ones call them. */
const pixels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480P': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720P': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080P': {
    '16:9': '1920*1080',
    '9:16': '1080*1920',
    '1:1': '1440*1440',
    '4:3': '1632*1248',
    '3:4': '1248*1632',
  },
}
const ownInput = ['negative_prompt', 'audio_url']
const ownParameters = ['prompt_extend', 'watermark', 'seed', 'shot_type', 'audio']

const statuses: Readonly<Record<string, VideoStatus>> = {
  PENDING: 'queued',
  RUNNING: 'in_progress',
  SUSPENDED: 'in_progress',
  SUCCEEDED: 'completed',
  FAILED: 'failed',
  CANCELED: 'failed',
}

/** Alibaba's Wan. */
export const wan: VideoVendor = {
  channelTypes: [17],
  baseUrl: ali.baseUrl,
  headers: key => ({ authorization: `Bearer ${key}` }),
  readRefusal: readProblem,
  saysUnknown: ({ code }) => code === UNKNOWN_TASK,
  ask,
  async look(upstream, id) {
    const path = `${hostOf(upstream.baseUrl)}/api/v1/tasks/${encodeURIComponent(id)}`
    return readTask(upstream, asObject(await upstream.json({ path })) ?? {})
  },
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const [first, last, more] = wish.pictures()
  if (more !== undefined) refuseNamed('images')
  const isNewer = newer.test(model)
  const isPair = last !== undefined && !isNewer
  const seconds = wish.seconds ?? USUAL_SECONDS
  if ((fixed.test(model) || isPair) && seconds !== USUAL_SECONDS)
    refuseField('seconds', 'field.one-of', { choices: String(USUAL_SECONDS) })
  const body = {
    model,
    input: { prompt: wish.prompt, ...writePictures(first, last, isNewer), ...ownFields(wish, ownInput) },
    parameters: {
      ...writeShape(wish, first !== undefined, isNewer),
      ...(!isPair && { duration: seconds }),
      ...ownFields(wish, ownParameters),
    },
  }
  const service = isPair ? 'image2video' : 'video-generation'
  const path = `${hostOf(upstream.baseUrl)}${SERVICES}/${service}/video-synthesis`
  const headers = { 'x-dashscope-async': 'enable' }
  const asking = { method: 'POST', path, body, headers, timeoutMs: SUBMIT_MS } as const
  const answer = asObject(await upstream.json(asking)) ?? {}
  return acceptVideo(upstream, asText(asObject(answer.output)?.task_id), seconds, answer)
}

function writePictures(first: string | undefined, last: string | undefined, isNewer: boolean): JsonObject {
  if (first === undefined) return {}
  if (isNewer) {
    const frames = [{ type: 'first_frame', url: first }, ...(last ? [{ type: 'last_frame', url: last }] : [])]
    return { media: frames }
  }
  return last === undefined ? { img_url: first } : { first_frame_url: first, last_frame_url: last }
}

/** A picture has a shape of its own. */
function writeShape(wish: VideoWish, hasPicture: boolean, isNewer: boolean): JsonObject {
  const resolution = resolutionFor(wish, grades)?.toUpperCase()
  const ratio = ratioFor(wish, shapes)
  if (hasPicture) return resolution === undefined ? {} : { resolution }
  if (isNewer)
    return { ...(resolution !== undefined && { resolution }), ...(ratio !== undefined && { ratio }) }
  if (wish.size !== undefined && wish.resolution === undefined) return { size: wish.size.replace('x', '*') }
  if (resolution === undefined && ratio === undefined) return {}
  const size = pixels[resolution ?? '720P']?.[ratio ?? '16:9']
  return size === undefined ? refuseNamed('aspect_ratio', ratio) : { size }
}

function readTask(upstream: Upstream, answer: JsonObject): SeenVideo | undefined {
  const output = asObject(answer.output)
  const said = asText(output?.task_status)
  // It is kept for a day.
  if (said === 'UNKNOWN') throw upstream.refusal({ status: 404, message: said, code: UNKNOWN_TASK })
  const status = statuses[said ?? '']
  if (!output || status === undefined) return undefined
  const usage = asObject(answer.usage)
  const report = reportVideo(upstream, {
    status,
    error:
      status === 'failed'
        ? { code: asText(output.code), message: asText(output.message) ?? said }
        : undefined,
    seconds: secondsOf(usage?.duration ?? usage?.video_duration),
  })
  return { report, url: asText(output.video_url) }
}
