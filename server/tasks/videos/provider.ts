import { randomBytes } from 'node:crypto'
import { asArray, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { toNumber } from '../../ledger/price/decimal.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskProvider, TaskReport } from '../define.ts'
import { pollNow } from '../poll.ts'
import { priceNameOf } from '../price-name.ts'
import { readTaskBody } from '../read-task-body.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { runStates } from '../runs.ts'
import { type Submission, submitTask } from '../submit.ts'
import type { TaskBody } from '../task-words.ts'
import { deleteVideo } from './delete-video.ts'
import { findVideo, type OwnVideo, originalOf, PLATFORM, vendorAt } from './find-video.ts'
import { inlinePictures } from './inline-pictures.ts'
import {
  acceptAsJimeng,
  asksAfterJimeng,
  jimengPath,
  readJimeng,
  readJimengId,
  refuseAsJimeng,
  refuseOtherActions,
  showJimeng,
} from './jimeng-form.ts'
import { isKlingPath, klingPaths, readKling, refuseAsKling, showKling } from './kling-form.ts'
import { listVideos } from './list-videos.ts'
import { readPrompt, readVideoBody, readWish } from './read-wish.ts'
import { resultPath, serveResult } from './result-link.ts'
import { serveContent } from './serve-content.ts'
import { showGeneration } from './show-generation.ts'
import { showVideo } from './show-video.ts'
import type { VideoVendor } from './vendor.ts'
import { videoVendors } from './vendors/index.ts'
import { usualResolution, type VideoWish } from './wish.ts'

const DAY = 86_400
/** Set aside for a video whose length is left to its vendor: none of them makes a longer one then. */
const MOST_USUAL_SECONDS = 8
const SORA_SECONDS = 4
const LONGEST_MODE = 40
const one = (rest = ''): RegExp => new RegExp(`^/v1/videos/(?<id>[\\w-]{1,64})${rest}$`)
const generation = /^\/v1\/video\/generations\/(?<id>[\w-]{1,64})$/

/** Video, in OpenAI's form and in that of this family's tasks, by whichever vendor. It is paid by the second. */
export const videos: TaskProvider = {
  platform: PLATFORM,
  accounts: videoVendors,
  book: 'tasks',
  limitSeconds: DAY,
  routes: [
    { method: 'POST', path: /^\/v1\/videos$/, serve: create },
    { method: 'GET', path: /^\/v1\/videos$/, serve: listVideos, looks: true },
    { method: 'GET', path: one(), serve: retrieve, looks: true },
    { method: 'DELETE', path: one(), serve: deleteVideo, looks: true },
    { method: 'GET', path: one('/content'), serve: serveContent, looks: true },
    { method: 'POST', path: one('/remix'), serve: remix },
    { method: 'POST', path: /^\/v1\/video\/generations$/, serve: generate },
    { method: 'GET', path: generation, serve: retrieveGeneration, looks: true },
    { method: 'GET', path: resultPath, serveAnyone: serveResult },
    { method: 'POST', path: klingPaths.create, serve: createKling },
    { method: 'GET', path: klingPaths.retrieve, serve: retrieveKling, looks: true },
    { method: 'POST', path: jimengPath, serve: serveJimeng, looks: asksAfterJimeng },
  ],
  newId: () => `video_${randomBytes(24).toString('hex')}`,
  look: lookAtVideos,
  lookAtOnce: 8,
  refuse: (error, incoming) => refusalFor(incoming.path)(error, incoming),
  refundText: (id, amount) => `视频生成失败 ${id}，补偿 ${amount}`,
}

async function create(call: OwnedCall): Promise<Response> {
  const { run, row } = await submit(call, readWish)
  return Response.json(showVideo(row, run.calls))
}

/** The same, from a client that reads `task_id`. */
async function generate(call: OwnedCall): Promise<Response> {
  const { run, row } = await submit(call, readOurs)
  return Response.json({ ...showVideo(row, run.calls), task_id: row.task_id })
}

/** The same, from a client that speaks as Kling's own do. */
async function createKling(call: OwnedCall): Promise<Response> {
  const made = await submit(call, body => readKling(readOurs(body), call.params.kind))
  return Response.json(showKling(call.parts, made, call.incoming))
}

/** The same, from a client that speaks as Jimeng's own do. */
async function serveJimeng(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  if (asksAfterJimeng(incoming.request)) {
    const id = readJimengId(await readTaskBody(incoming))
    return showJimeng(parts, await lookAgain(call, id), incoming)
  }
  refuseOtherActions(incoming)
  return acceptAsJimeng(await submit(call, body => readOurs(readJimeng(body))), incoming)
}

/** In the words that its client understands. */
function refusalFor(path: string): TaskProvider['refuse'] {
  if (jimengPath.test(path)) return refuseAsJimeng
  return isKlingPath(path) ? refuseAsKling : refuseAsOpenai
}

/** As no vendor's own clients say it. */
function readOurs(body: TaskBody): VideoWish {
  const { came: _form, ...wish } = readWish(body)
  return wish
}

async function submit(call: OwnedCall, read: (body: TaskBody) => VideoWish): Promise<OwnVideo> {
  const body = await readVideoBody(call.incoming)
  const { id } = await submitTask(call, body, given => submissionOf(call, read(given)))
  return findVideo(call, id)
}

function submissionOf(call: OwnedCall, wish: VideoWish): Submission {
  const { model, prompt, seconds } = wish
  const kinds = kindsOf(wish)
  return {
    provider: videos,
    action: 'VIDEO',
    model,
    priceName: priceNameFor(call, model, kinds),
    calls: seconds ?? (/sora/i.test(model) ? SORA_SECONDS : MOST_USUAL_SECONDS),
    vendorDecides: seconds === undefined,
    input: prompt,
    properties: { model, ...propertiesOf(kinds) },
    ask: async (upstream, asked) => {
      const vendor = makerAt(upstream)
      const told = vendor.inlinesPictures ? await inlinePictures(call.parts, wish) : wish
      return vendor.ask(upstream, told, asked.model)
    },
  }
}

/** What a video may have a price of its own by. */
interface Kinds {
  readonly size: string | undefined
  readonly resolution: string | undefined
  /** The vendor's own. */
  readonly mode: string | undefined
  /** Whether it is asked to be heard as well as seen. */
  readonly sounds?: boolean
}

function kindsOf({ size, resolution, fields }: VideoWish): Kinds {
  return { size, resolution, mode: asText(fields.mode), sounds: asksForSound(fields) }
}

/** What readers of requests and of forms take for a yes. */
const yes = /^\s*(on|true|t|1|yes|y)\s*$/i

/** In the words of any vendor. */
function asksForSound({ sound, generate_audio, audio, voice_list }: JsonObject): boolean {
  const isOn = (value: Json | undefined): boolean => yes.test(String(value))
  // In a form a list is text.
  const isListed = typeof voice_list === 'string' ? /\w/.test(voice_list) : asArray(voice_list).length > 0
  return [sound, generate_audio, audio].some(isOn) || isListed
}

/** Kept with it, for what is made from it later. */
function propertiesOf({ size = '', resolution, mode, sounds }: Kinds) {
  const named = { ...(resolution && { resolution }), ...(mode && { mode: mode.slice(0, LONGEST_MODE) }) }
  return { size, ...named, ...(sounds && { sounds }) }
}

/** Of several prices it is the dearest. */
function priceNameFor(
  { parts }: OwnedCall,
  model: string,
  { size, resolution, mode, sounds }: Kinds,
): string | undefined {
  const seen = [size, usualResolution(size), resolution?.toLowerCase(), mode, mode?.toLowerCase()]
  const heard = sounds ? ['sound', ...seen.map(kind => kind && `${kind}:sound`)] : []
  const kinds = [...seen, ...heard]
  let dearest: { readonly name: string; readonly price: number } | undefined
  for (const kind of new Set(kinds)) {
    const name = priceNameOf(parts, model, kind)
    const found = name === undefined ? undefined : parts.prices().price(name)
    if (name === undefined || found?.kind !== 'call') continue
    const price = toNumber(found.price)
    if (!dearest || price > dearest.price) dearest = { name, price }
  }
  return dearest?.name
}

/** As long and as fine as what it is made from, by the same model, in the same place. */
async function remix(call: OwnedCall): Promise<Response> {
  const { run: origin, row } = await findVideo(call)
  if (origin.state !== runStates.done) throw new AppError('video.not-ready')
  const kinds = originalOf(row)
  const body = await readVideoBody(call.incoming)
  const { id } = await submitTask(call, body, given => {
    const prompt = readPrompt(given)
    return {
      provider: videos,
      action: 'REMIX',
      model: origin.model,
      priceName: priceNameFor(call, origin.model, kinds),
      calls: origin.calls,
      origin,
      input: prompt,
      properties: { model: origin.model, ...propertiesOf(kinds), remixed_from: origin.id },
      ask: upstream => {
        const { remix: again } = makerAt(upstream)
        return again
          ? again(upstream, origin.upstream_id, prompt)
          : refuseFeature('feature.named', { name: 'remix' })
      },
    }
  })
  const made = await findVideo(call, id)
  return Response.json(showVideo(made.row, made.run.calls))
}

async function retrieve(call: OwnedCall): Promise<Response> {
  const { run, row } = await lookAgain(call)
  return Response.json(showVideo(row, run.calls))
}

async function retrieveGeneration(call: OwnedCall): Promise<Response> {
  const data = showGeneration(call.parts, await lookAgain(call), call.incoming.request)
  return Response.json({ code: 'success', message: '', data })
}

async function retrieveKling(call: OwnedCall): Promise<Response> {
  return Response.json(showKling(call.parts, await lookAgain(call), call.incoming))
}

async function lookAgain(call: OwnedCall, id?: string): Promise<OwnVideo> {
  const { run } = await findVideo(call, id)
  await pollNow(call.parts, videos, run)
  return findVideo(call, run.id)
}

/** One by one, as vendors tell; one that is not known keeps nobody from the others. */
async function lookAtVideos(upstream: Upstream, ids: readonly string[]) {
  const found = new Map<string, TaskReport | 'unknown'>()
  const vendor = makerAt(upstream)
  const lookAt = async (id: string): Promise<void> => {
    try {
      const seen = await vendor.look(upstream, id)
      if (seen) found.set(id, seen.report)
    } catch (error) {
      if (!(error instanceof UpstreamFailure && error.problem)) throw error
      if (vendor.saysUnknown(error.problem)) found.set(id, 'unknown')
    }
  }
  await Promise.all(ids.map(lookAt))
  return found
}

function makerAt(upstream: Upstream): VideoVendor {
  const vendor = vendorAt(upstream)
  if (!vendor) throw new AppError('relay.bad-channel')
  return vendor
}
