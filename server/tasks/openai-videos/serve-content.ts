import { refuseChoice } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { OwnedCall, TaskProvider } from '../define.ts'
import { runStates } from '../runs.ts'
import { findVideo, upstreamOf } from './find-video.ts'

const variants = new Set(['video', 'thumbnail', 'spritesheet'])
const types = /^(video|image)\/[\w.+-]+$/
const handedOn = ['content-length', 'content-range', 'accept-ranges'] as const

/** What was made, as it comes from its vendor. */
export async function serveContent(call: OwnedCall, provider: TaskProvider): Promise<Response> {
  const { incoming } = call
  const { run } = await findVideo(call, provider)
  if (run.state !== runStates.done) throw new AppError('video.not-ready')
  const variant = new URL(incoming.request.url).searchParams.get('variant') ?? ''
  if (variant !== '' && !variants.has(variant)) refuseChoice('variant', [...variants])
  const query = variant === '' ? '' : `?variant=${variant}`
  const range = incoming.request.headers.get('range')
  incoming.keepOpen()
  const response = await upstreamOf(call, provider, run).send({
    path: `/v1/videos/${encodeURIComponent(run.upstream_id)}/content${query}`,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...(range && { range }) },
  })
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
