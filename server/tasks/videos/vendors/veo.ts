import { dialects } from '../../../dialects/index.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseNamed } from '../../../dialects/refuse.ts'
import { gemini } from '../../../providers/gemini/provider.ts'
import { encodeSegment } from '../../../providers/kit/url.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { Accepted } from '../../submit.ts'
import { acceptVideo, SUBMIT_MS } from '../accept.ts'
import { reportVideo } from '../report-video.ts'
import type { Located, SeenVideo, VideoVendor } from '../vendor.ts'
import { bareBase64, codeOf, ownFields, ratioFor, resolutionFor, type VideoWish } from '../wish.ts'

const USUAL_SECONDS = 8
const shapes = ['16:9', '9:16']
const grades = ['720p', '1080p', '4k']
const own = ['negativePrompt', 'personGeneration', 'enhancePrompt']

/** Google's Veo. What it calls a video is the name of an operation. */
export const veo: VideoVendor = {
  channelTypes: [24],
  baseUrl: gemini.baseUrl,
  headers: key => ({ 'x-goog-api-key': key }),
  readRefusal: (status, body) => dialects.gemini.readProblem(status, body),
  saysUnknown: ({ status, code }) => status === 404 && code === 'NOT_FOUND',
  inlinesPictures: true,
  ask,
  look: async (upstream, id) => readOperation(upstream, await upstream.json({ path: pathOf(id) })),
  locate,
}

async function ask(upstream: Upstream, wish: VideoWish, model: string): Promise<Accepted> {
  const { prompt, seconds = USUAL_SECONDS } = wish
  const [image, lastFrame, more] = wish.pictures().map(writePicture)
  if (more !== undefined) refuseNamed('images')
  const aspectRatio = ratioFor(wish, shapes)
  const resolution = resolutionFor(wish, grades)
  const negativePrompt = asText(wish.fields.negative_prompt)
  const body = {
    instances: [{ prompt, ...(image && { image }), ...(lastFrame && { lastFrame }) }],
    parameters: {
      // One is paid.
      sampleCount: 1,
      durationSeconds: seconds,
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(resolution !== undefined && { resolution }),
      ...(negativePrompt && { negativePrompt }),
      ...ownFields(wish, own),
    },
  }
  const name = encodeSegment(model.replace(/^models\//, ''))
  const path = `/v1beta/models/${name}:predictLongRunning`
  const answer = asObject(await upstream.json({ method: 'POST', path, body, timeoutMs: SUBMIT_MS })) ?? {}
  return acceptVideo(upstream, asText(answer.name), seconds, answer)
}

function writePicture(picture: string): JsonObject {
  const mimeType = /^data:([^;,]+)/.exec(picture)?.[1] ?? 'image/png'
  return { bytesBase64Encoded: bareBase64(picture), mimeType }
}

function pathOf(id: string): string {
  return `/v1beta/${id.split('/').map(encodeURIComponent).join('/')}`
}

/** Done with nothing made: what it made was not fit to be shown. */
function readOperation(upstream: Upstream, value: unknown): SeenVideo | undefined {
  const operation = asObject(value)
  if (!operation || asText(operation.name) === undefined) return undefined
  if (operation.done !== true) return { report: reportVideo(upstream, { status: 'in_progress' }) }
  const error = asObject(operation.error)
  const made = asObject(asObject(operation.response)?.generateVideoResponse)
  const url = asText(asObject(asObject(asArray(made?.generatedSamples)[0])?.video)?.uri)
  if (!error && url) return { report: reportVideo(upstream, { status: 'completed' }), url }
  const reasons = asArray(made?.raiMediaFilteredReasons).filter(reason => typeof reason === 'string')
  const said = { code: codeOf(error?.code), message: asText(error?.message) ?? reasons.join(' ') }
  return { report: reportVideo(upstream, { status: 'failed', error: said }) }
}

/** Its address wants the key, so only its path is believed: the key goes to nobody but the vendor. */
async function locate(upstream: Upstream, id: string): Promise<Located | undefined> {
  const found = URL.parse((await veo.look(upstream, id))?.url ?? '')
  return found ? { path: found.pathname + found.search } : undefined
}
