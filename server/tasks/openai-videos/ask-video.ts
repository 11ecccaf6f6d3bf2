import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Form } from '../../relay/request/parse-multipart.ts'
import { writeMultipart } from '../../relay/request/write-multipart.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { Accepted } from '../submit.ts'
import { readVideo } from './read-video.ts'
import { readSeconds, type WantedVideo } from './read-video-call.ts'

const SUBMIT_MS = 300_000

export async function askVideo(upstream: Upstream, wanted: WantedVideo, model: string): Promise<Accepted> {
  const body = wanted.form ? writeForm(wanted.form, model) : { ...wanted.json, model }
  return accept(
    upstream,
    await upstream.json({ method: 'POST', path: '/v1/videos', body, timeoutMs: SUBMIT_MS }),
  )
}

export async function askRemix(upstream: Upstream, videoId: string, prompt: string): Promise<Accepted> {
  const path = `/v1/videos/${encodeURIComponent(videoId)}/remix`
  return accept(
    upstream,
    await upstream.json({ method: 'POST', path, body: { prompt }, timeoutMs: SUBMIT_MS }),
  )
}

function writeForm(form: Form, model: string) {
  const boundary = `form-${crypto.randomUUID()}`
  const bytes = new Uint8Array(writeMultipart(form, { model }, boundary))
  return { bytes, type: `multipart/form-data; boundary=${boundary}` }
}

function accept(upstream: Upstream, answer: unknown): Accepted {
  const body: JsonObject = asObject(answer) ?? {}
  const upstreamId = asText(body.id)
  const report = readVideo(upstream, body)
  if (!upstreamId || !report) throw new UpstreamFailure({ without: 'empty' })
  return { upstreamId, report, calls: secondsIn(body), body }
}

/** What it says it makes, if it can be believed. */
function secondsIn({ seconds }: JsonObject): number | undefined {
  try {
    return readSeconds(seconds)
  } catch {
    return undefined
  }
}
