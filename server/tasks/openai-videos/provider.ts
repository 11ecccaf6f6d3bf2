import { randomBytes } from 'node:crypto'
import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskProvider, TaskReport } from '../define.ts'
import { openaiHeaders, saysUnknown } from '../openai-account.ts'
import { pollNow } from '../poll.ts'
import { priceNameOf } from '../price-name.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { runStates } from '../runs.ts'
import { submitTask } from '../submit.ts'
import { askRemix, askVideo } from './ask-video.ts'
import { deleteVideo } from './delete-video.ts'
import { findVideo, originalOf } from './find-video.ts'
import { listVideos } from './list-videos.ts'
import { readVideo } from './read-video.ts'
import { readPrompt, readVideoCall } from './read-video-call.ts'
import { serveContent } from './serve-content.ts'
import { showVideo } from './show-video.ts'

const DAY = 86_400
/** Of a video whose length is left to its vendor. */
const USUAL_SECONDS = 4
const chat = dialects['openai-chat']
const one = (rest = ''): RegExp => new RegExp(`^/v1/videos/(?<id>[\\w-]{1,64})${rest}$`)

/** Video, in OpenAI's form. It is paid by the second. */
export const openaiVideos: TaskProvider = {
  platform: 'openai-videos',
  channelTypes: [1],
  baseUrl: 'https://api.openai.com',
  book: 'tasks',
  limitSeconds: DAY,
  routes: [
    { method: 'POST', path: /^\/v1\/videos$/, serve: create },
    { method: 'GET', path: /^\/v1\/videos$/, serve: call => listVideos(call, openaiVideos), looks: true },
    { method: 'GET', path: one(), serve: retrieve, looks: true },
    { method: 'DELETE', path: one(), serve: call => deleteVideo(call, openaiVideos), looks: true },
    { method: 'GET', path: one('/content'), serve: call => serveContent(call, openaiVideos), looks: true },
    { method: 'POST', path: one('/remix'), serve: remix },
  ],
  newId: () => `video_${randomBytes(24).toString('hex')}`,
  headers: openaiHeaders,
  readRefusal: (status, body) => chat.readProblem(status, body),
  look: lookAtVideos,
  lookAtOnce: 8,
  refuse: refuseAsOpenai,
  refundText: (id, amount) => `视频生成失败 ${id}，补偿 ${amount}`,
}

async function create(call: OwnedCall): Promise<Response> {
  const wanted = await readVideoCall(call.incoming.request)
  const { model, prompt, size } = wanted
  const { id } = await submitTask(call, {
    provider: openaiVideos,
    action: 'VIDEO',
    model,
    priceName: priceNameOf(call.parts, model, size),
    calls: wanted.seconds ?? USUAL_SECONDS,
    vendorDecides: wanted.seconds === undefined,
    input: prompt,
    properties: { model, size: size ?? '' },
    ask: (upstream, asked) => askVideo(upstream, wanted, asked.model),
  })
  return show(call, id)
}

/** As long as what it is made from, by the same model, in the same place. */
async function remix(call: OwnedCall): Promise<Response> {
  const { run: origin, row } = await findVideo(call, openaiVideos)
  if (origin.state !== runStates.done) throw new AppError('video.not-ready')
  const prompt = await readPrompt(call.incoming.request)
  const { size } = originalOf(row)
  const { id } = await submitTask(call, {
    provider: openaiVideos,
    action: 'REMIX',
    model: origin.model,
    priceName: priceNameOf(call.parts, origin.model, size),
    calls: origin.calls,
    origin,
    input: prompt,
    properties: { model: origin.model, size, remixed_from: origin.id },
    ask: upstream => askRemix(upstream, origin.upstream_id, prompt),
  })
  return show(call, id)
}

async function retrieve(call: OwnedCall): Promise<Response> {
  const { run } = await findVideo(call, openaiVideos)
  await pollNow(call.parts, openaiVideos, run)
  return show(call, run.id)
}

async function show(call: OwnedCall, id: string): Promise<Response> {
  const { row } = await findVideo(call, openaiVideos, id)
  return Response.json(showVideo(row))
}

/** One by one, as its vendor tells; one that it does not know keeps nobody from the others. */
async function lookAtVideos(upstream: Upstream, ids: readonly string[]) {
  const found = new Map<string, TaskReport | 'unknown'>()
  const lookAt = async (id: string): Promise<void> => {
    try {
      const video = await upstream.json({ path: `/v1/videos/${encodeURIComponent(id)}` })
      const report = readVideo(upstream, video)
      if (report) found.set(id, report)
    } catch (error) {
      if (!(error instanceof UpstreamFailure && error.problem)) throw error
      if (saysUnknown(error.problem)) found.set(id, 'unknown')
    }
  }
  await Promise.all(ids.map(lookAt))
  return found
}
