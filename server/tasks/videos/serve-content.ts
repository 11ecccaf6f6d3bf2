import { refuseChoice } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskCall } from '../define.ts'
import { fetchMade, isRedirect } from '../fetch-made.ts'
import { runStates, type TaskRun } from '../runs.ts'
import { findVideo, makerOf } from './find-video.ts'
import type { Located, VideoVendor } from './vendor.ts'

const VIDEO = 'video'
const types = /^(video|image)\/[\w.+-]+$/
const handedOn = ['content-length', 'content-range', 'accept-ranges'] as const
/** Of what lies elsewhere. */
const limits = { maxBytes: 2 ** 31, wholeMs: 1_800_000, idleMs: 60_000 }

/** What was made, as it comes from its vendor. */
export async function serveContent(call: OwnedCall): Promise<Response> {
  const { run } = await findVideo(call)
  const variant = new URL(call.incoming.request.url).searchParams.get('variant') ?? ''
  return sendContent(call, run, variant)
}

export async function sendContent(
  { parts, incoming }: TaskCall,
  run: TaskRun,
  variant = '',
): Promise<Response> {
  if (run.state !== runStates.done) throw new AppError('video.not-ready')
  const { upstream, vendor } = makerOf(parts, run, incoming.request)
  const variants = [VIDEO, ...(vendor.variants ?? [])]
  if (variant !== '' && !variants.includes(variant)) refuseChoice('variant', variants)
  const range = incoming.request.headers.get('range')
  const headers = { accept: '*/*', 'accept-encoding': 'identity', ...(range && { range }) }
  incoming.keepOpen()
  const place = await locate(upstream, vendor, run, variant)
  const found =
    'path' in place ? await upstream.send({ path: place.path, headers, mayLead: true }) : undefined
  const next = found && isRedirect(found) ? (found.headers.get('location') ?? '') : undefined
  if (found && next === undefined) return handOn(found)
  await found?.body?.cancel()
  const url = 'url' in place ? place.url : (URL.parse(next ?? '', upstream.baseUrl)?.href ?? '')
  const response = await fetchMade(parts, upstream, url, { ...limits, headers }).catch(error => {
    throw new AppError('video.unreachable', {}, error)
  })
  if (response.ok) return handOn(response)
  await response.body?.cancel()
  throw new AppError(isGone(response.status) ? 'video.gone' : 'video.unreachable')
}

/** Asked anew every time: addresses end, and those that are kept could be read. */
async function locate(
  upstream: Upstream,
  vendor: VideoVendor,
  { upstream_id }: TaskRun,
  variant: string,
): Promise<Located> {
  try {
    if (vendor.locate) {
      const located = await vendor.locate(upstream, upstream_id, variant)
      if (located) return located
    } else {
      const url = (await vendor.look(upstream, upstream_id))?.url
      if (url) return { url }
    }
  } catch (error) {
    const problem = error instanceof UpstreamFailure ? error.problem : undefined
    if (!problem || !vendor.saysUnknown(problem)) throw error
  }
  throw new AppError('video.gone')
}

/** So say the stores of vendors when an address has ended, or what it led to is deleted. */
function isGone(status: number): boolean {
  return status === 403 || status === 404 || status === 410
}

function handOn(response: Response): Response {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const headers = new Headers({
    'content-type': types.test(type) && !type.includes('svg') ? type : 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  for (const name of handedOn) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(response.body, { status: response.status, headers })
}
