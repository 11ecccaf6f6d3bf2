import { dialects } from '../../../dialects/index.ts'
import { asNumber, asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseNamed } from '../../../dialects/refuse.ts'
import { withoutChosenVendors, withoutOtherModels } from '../../../relay/chat/dear-fields.ts'
import { editForm } from '../../../relay/plain/edit-form.ts'
import type { Form } from '../../../relay/request/parse-multipart.ts'
import { writeMultipart } from '../../../relay/request/write-multipart.ts'
import { saysUnknown } from '../../../relay/upstream/says-unknown.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../../ask-upstream.ts'
import { openaiHeaders } from '../../openai-account.ts'
import type { Accepted } from '../../submit.ts'
import { sayAgain, takeCommands } from '../prompt-commands.ts'
import { readSeconds, seedance } from '../read-wish.ts'
import { isVideoStatus, reportVideo } from '../report-video.ts'
import type { SeenVideo, VideoVendor } from '../vendor.ts'
import { ownFields, type VideoWish } from '../wish.ts'

const SUBMIT_MS = 300_000
const VIDEOS = '/v1/videos'
/** Of a video whose length is left to it. */
const USUAL_SECONDS = 4
/** The same of others' models, by their names: a gateway that has them may not tell how long it makes one. */
const usual = [
  [/veo/i, 8],
  [/hailuo|[ist]2v-01/i, 6],
  [/vidu[12]\./i, 4],
  [/kling|seedance|jimeng|vidu|wan(x|\d)/i, 5],
] as const
const at = (id: string, rest = ''): string => `${VIDEOS}/${encodeURIComponent(id)}${rest}`

/** OpenAI's Sora, and whoever speaks as it does. */
export const openai: VideoVendor = {
  channelTypes: [1, 55],
  baseUrl: 'https://api.openai.com',
  headers: openaiHeaders,
  readRefusal: (status, body) => dialects['openai-chat'].readProblem(status, body),
  saysUnknown,
  ask,
  look: async (upstream, id) => readVideo(upstream, await upstream.json({ path: at(id) })),
  variants: ['thumbnail', 'spritesheet'],
  locate: async (_upstream, id, variant) => ({
    path: at(id, `/content${variant === '' ? '' : `?variant=${variant}`}`),
  }),
  remix: (upstream, id, prompt) => submit(upstream, at(id, '/remix'), { prompt }),
  async remove(upstream, id) {
    const response = await upstream.send({ method: 'DELETE', path: at(id) })
    await response.body?.cancel()
  },
}

/** Another gateway of this family: it has no address that is everybody's. */
export const gateway: VideoVendor = {
  ...openai,
  channelTypes: [60],
  baseUrl: '',
  ask: (upstream, wish, model) => ask(upstream, wish, model, paidIn(wish)),
}

/** What may have a price of its own: whoever pays that is to get it. OpenAI has no word for any of it. */
function paidIn(wish: VideoWish): JsonObject {
  const { resolution } = wish
  const own = ownFields(wish, ['mode', 'sound', 'generate_audio', 'audio', 'voice_list'])
  return resolution === undefined ? own : { ...own, resolution }
}

/** `more` is said to who understands it, where it does not come in this form anyway. */
async function ask(
  upstream: Upstream,
  wish: VideoWish,
  model: string,
  more: JsonObject = {},
): Promise<Accepted> {
  // By a name of the operator's own: what its prompt is told would have no price.
  const [hidden] = seedance.test(model) ? Object.keys(takeCommands(wish.prompt).commands) : []
  if (hidden !== undefined) refuseNamed(`--${hidden}`)
  const accepted = await submit(upstream, VIDEOS, writeWish(wish, model, more))
  return { ...accepted, calls: accepted.calls ?? wish.seconds ?? usualSeconds(model) }
}

function usualSeconds(model: string): number {
  return usual.find(([names]) => names.test(model))?.[1] ?? USUAL_SECONDS
}

/** As it came, where it came in this form; but for what a prompt was told that costs, which is said in fields. */
function writeWish(wish: VideoWish, model: string, more: JsonObject) {
  const { came, prompt, seconds, size, resolution } = wish
  const isSaid = seconds === undefined || (wish.fields.seconds ?? undefined) !== undefined
  const length = isSaid ? {} : { seconds: String(seconds) }
  const said = asText(wish.fields.prompt) ?? prompt
  const isTold = said !== prompt
  const free = isTold ? prompt + sayAgain(takeCommands(said).commands) : prompt
  const commands = isTold ? { prompt: free, ...(resolution !== undefined && { resolution }) } : {}
  const edits = { model, ...length, ...commands }
  if (came && 'form' in came) return writeForm(came.form, edits)
  if (came) return { ...withoutDodges(came.json), ...edits }
  const [first] = wish.pictures()
  return {
    ...more,
    model,
    prompt: free,
    ...(seconds !== undefined && { seconds: String(seconds) }),
    ...(size !== undefined && { size }),
    ...(first !== undefined && { input_reference: { image_url: first } }),
  }
}

/** Gateways are not had to make something else than what is said beside it, and paid: least by what is put over that. */
function withoutDodges({ extra_body: _, ...said }: JsonObject): JsonObject {
  const told = { ...said, ...withoutOtherModels(said), ...withoutChosenVendors(said.provider) }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function writeForm(came: Form, edits: JsonObject) {
  const boundary = `form-${crypto.randomUUID()}`
  const { form, edits: own } = editForm(came, false)
  const { extra_body: _, ...told } = own
  const parts = form.parts.filter(({ name }) => name !== 'extra_body')
  const bytes = new Uint8Array(writeMultipart({ ...form, parts }, { ...told, ...edits }, boundary))
  return { bytes, type: `multipart/form-data; boundary=${boundary}` }
}

async function submit(
  upstream: Upstream,
  path: string,
  body: ReturnType<typeof writeWish> | JsonObject,
): Promise<Accepted> {
  const answer = asObject(await upstream.json({ method: 'POST', path, body, timeoutMs: SUBMIT_MS })) ?? {}
  const upstreamId = asText(answer.id)
  const seen = readVideo(upstream, answer)
  if (!upstreamId || !seen) throw new UpstreamFailure({ without: 'empty' })
  return { upstreamId, report: seen.report, calls: secondsIn(answer), body: answer }
}

/** What it says it makes, if it can be believed. */
function secondsIn({ seconds }: JsonObject): number | undefined {
  try {
    return readSeconds(seconds)
  } catch {
    return undefined
  }
}

/** A video as its vendor tells of it; undefined when this is none. */
function readVideo(upstream: Upstream, value: unknown): SeenVideo | undefined {
  const video = asObject(value)
  const status = asText(video?.status)
  if (!video || status === undefined || !isVideoStatus(status)) return undefined
  const { created_at, expires_at, size, quality, seconds } = video
  const error = asObject(video.error)
  const news = {
    status,
    progress: asNumber(video.progress) ?? 0,
    completedAt: asNumber(video.completed_at),
    error: error && { code: asText(error.code), message: asText(error.message) },
    seconds: seconds as Json | undefined,
    more: { created_at, expires_at, size, quality },
  }
  return { report: reportVideo(upstream, news) }
}
