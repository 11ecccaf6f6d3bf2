import { asNumber, asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseNamed } from '../../../dialects/refuse.ts'
import { readProblem, volcengine } from '../../../providers/volcengine/provider.ts'
import { saysUnknown } from '../../../relay/upstream/says-unknown.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { takeCommands } from '../prompt-commands.ts'
import { readSeconds } from '../read-wish.ts'
import { reportVideo, type VideoStatus } from '../report-video.ts'
import type { SeenVideo, VideoVendor } from '../vendor.ts'
import { ownFields, ratioFor, resolutionFor, type VideoWish } from '../wish.ts'

const TASKS = '/api/v3/contents/generations/tasks'
const USUAL_SECONDS = 5
const shapes = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const grades = ['480p', '720p', '1080p']
const own = ['seed', 'camera_fixed', 'watermark', 'generate_audio']
const at = (id: string): string => `${TASKS}/${encodeURIComponent(id)}`

const statuses: Readonly<Record<string, VideoStatus>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** Seedance, on VolcEngine's Ark. */
export const ark: VideoVendor = {
  channelTypes: [45, 54],
  baseUrl: volcengine.baseUrl,
  headers: key => ({ authorization: `Bearer ${key}` }),
  readRefusal: readProblem,
  saysUnknown,
  ask,
  look: async (upstream, id) => readTask(upstream, await upstream.json({ path: at(id) })),
  async remove(upstream, id) {
    const response = await upstream.send({ method: 'DELETE', path: at(id) })
    await response.body?.cancel()
  },
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  // A model by a name of the operator's own may be told in its prompt what has a price of its own.
  const { text, commands } = takeCommands(wish.prompt)
  if (commands.resolution !== undefined) refuseNamed('--resolution')
  // Frames would make it as long as nobody has paid for.
  if ((wish.fields.frames ?? commands.frames ?? undefined) !== undefined) refuseNamed('frames')
  const seconds = wish.seconds ?? readSeconds(commands.duration, 'duration') ?? USUAL_SECONDS
  const resolution = resolutionFor(wish, grades)
  const ratio = ratioFor(wish, shapes) ?? commands.ratio
  const body = {
    model,
    content: [{ type: 'text', text }, ...writePictures(wish.pictures())],
    ...(resolution !== undefined && { resolution }),
    ...(ratio !== undefined && { ratio }),
    duration: seconds,
    ...ownFields({ fields: commands }, own),
    ...ownFields(wish, own),
  }
  const answer =
    asObject(await upstream.json({ method: 'POST', path: TASKS, body, timeoutMs: SUBMIT_MS })) ?? {}
  return acceptVideo(upstream, asText(answer.id), seconds, answer)
}

/** One is the first frame, two are the first and the last, more are what it is to look like. */
function writePictures(pictures: readonly string[]): JsonObject[] {
  const roles = pictures.length > 2 ? pictures.map(() => 'reference_image') : ['first_frame', 'last_frame']
  return pictures.map((url, at) => ({ type: 'image_url', image_url: { url }, role: roles[at] }))
}

function readTask(upstream: Upstream, value: unknown): SeenVideo | undefined {
  const task = asObject(value)
  const status = statuses[asText(task?.status) ?? '']
  if (!task || status === undefined) return undefined
  const error = asObject(task.error)
  const isDone = status === 'completed'
  const report = reportVideo(upstream, {
    status,
    completedAt: isDone ? asNumber(task.updated_at) : undefined,
    error:
      status === 'failed' ? { code: asText(error?.code), message: whyOf(task.status, error) } : undefined,
    seconds: isDone ? task.duration : undefined,
  })
  return { report, url: isDone ? asText(asObject(task.content)?.video_url) : undefined }
}

function whyOf(status: Json | undefined, error: JsonObject | undefined): string {
  return asText(error?.message) || asText(status) || ''
}
