import { asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseNamed } from '../../../dialects/refuse.ts'
import { minimax } from '../../../providers/minimax/provider.ts'
import { readBase, readProblem } from '../../../providers/minimax/read-failure.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo, type VideoStatus } from '../report-video.ts'
import type { Located, SeenVideo, VideoVendor } from '../vendor.ts'
import { codeOf, ownFields, resolutionFor, type VideoWish } from '../wish.ts'

const USUAL_SECONDS = 6
const WRONG_FIELD = '2013'
const own = ['prompt_optimizer', 'fast_pretreatment', 'aigc_watermark']

const statuses: Readonly<Record<string, VideoStatus>> = {
  Preparing: 'queued',
  Queueing: 'queued',
  Processing: 'in_progress',
  Success: 'completed',
  Fail: 'failed',
}

/** MiniMax's Hailuo. Its shape is that of its picture, or its own. */
export const hailuo: VideoVendor = {
  channelTypes: [35],
  baseUrl: minimax.baseUrl,
  headers: key => ({ authorization: `Bearer ${key}` }),
  readRefusal: readProblem,
  // Where nothing is asked but one task, that is what is wrong.
  saysUnknown: ({ code, message }) =>
    code === WRONG_FIELD || /task\b.{0,40}\bnot (found|exist)/i.test(message),
  ask,
  look: async (upstream, id) => readTask(upstream, await fetchTask(upstream, id)),
  locate,
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const { prompt, seconds = USUAL_SECONDS } = wish
  const [first, last, more] = wish.pictures()
  if (more !== undefined) refuseNamed('images')
  const resolution = resolutionFor(wish, /hailuo/i.test(model) ? ['768P', '1080P'] : ['720P'])
  const body = {
    model,
    prompt,
    duration: seconds,
    ...(resolution !== undefined && { resolution: resolution.toUpperCase() }),
    ...(first !== undefined && { first_frame_image: first }),
    ...(last !== undefined && { last_frame_image: last }),
    ...ownFields(wish, own),
  }
  const asking = { method: 'POST', path: '/v1/video_generation', body, timeoutMs: SUBMIT_MS } as const
  const answer = asObject(await upstream.json(asking)) ?? {}
  refuseFailed(upstream, answer)
  return acceptVideo(upstream, codeOf(answer.task_id), seconds, answer)
}

/** A refusal comes with a good status. */
function refuseFailed(upstream: Upstream, answer: JsonObject): void {
  const problem = readBase(answer)
  if (problem) throw upstream.refusal(problem)
}

async function fetchTask(upstream: Upstream, id: string): Promise<JsonObject> {
  const path = `/v1/query/video_generation?task_id=${encodeURIComponent(id)}`
  const answer = asObject(await upstream.json({ path })) ?? {}
  // Why it failed stands where a refusal does.
  if (statuses[asText(answer.status) ?? ''] === undefined) refuseFailed(upstream, answer)
  return answer
}

function readTask(upstream: Upstream, task: JsonObject): SeenVideo | undefined {
  const status = statuses[asText(task.status) ?? '']
  if (status === undefined) return undefined
  const problem = readBase(task)
  const error =
    status === 'failed' ? { code: problem?.code ?? undefined, message: problem?.message } : undefined
  return { report: reportVideo(upstream, { status, error }) }
}

/** It is a file, which has to be asked where it lies. */
async function locate(upstream: Upstream, id: string): Promise<Located | undefined> {
  const fileId = codeOf((await fetchTask(upstream, id)).file_id)
  if (!fileId) return undefined
  const path = `/v1/files/retrieve?file_id=${encodeURIComponent(fileId)}`
  const answer = asObject(await upstream.json({ path })) ?? {}
  refuseFailed(upstream, answer)
  const url = asText(asObject(answer.file)?.download_url)
  return url ? { url } : undefined
}
