import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { TaskCall } from '../define.ts'
import { findDrawings } from './show-task.ts'

const LARGEST = 64 * 1024 * 1024
const WHOLE_MS = 120_000
const MOST_STEPS = 3
/** Nothing that a browser would run. */
const shown = /^(image\/(png|jpeg|webp|gif|avif)|video\/(mp4|webm))$/

/** A drawing's picture, by way of this server. Its id is as hard to guess as its address would be. */
export async function servePicture({ parts, params, incoming }: TaskCall): Promise<Response> {
  const [drawing] = await findDrawings(parts, [(params.id ?? '').slice(0, 100)])
  if (!drawing || drawing.image_url === '') throw new AppError('task.not-found')
  incoming.keepOpen()
  const response = await fetchPicture(parts, drawing.image_url, drawing.channel_id)
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel()
    throw new AppError('task.picture')
  }
  return new Response(response.body, {
    headers: {
      'content-type': shown.test(type) ? type : 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': drawing.status === 'SUCCESS' ? 'public, max-age=86400' : 'no-store',
    },
  })
}

/** The upstream chose the address, so it is trusted no more than a user's, unless it is the upstream itself. */
async function fetchPicture(
  parts: RelayParts,
  url: string,
  channelId: number,
  steps = MOST_STEPS,
): Promise<Response> {
  const channel = parts.channels.byId(channelId)
  const isUpstream = URL.parse(url)?.origin === URL.parse(channel?.baseUrl ?? '')?.origin
  const proxy = channel?.setting.proxy
  try {
    const response = await parts.outbound.fetch(url, {
      policy: isUpstream ? 'operator' : 'user',
      redirect: isUpstream ? 0 : steps,
      maxBytes: LARGEST,
      wholeMs: WHOLE_MS,
      ...(proxy ? { proxy } : {}),
    })
    const next = isUpstream && isRedirect(response) ? response.headers.get('location') : null
    if (next === null || steps === 0) return response
    await response.body?.cancel()
    // Where it sends us is an address like any other, and judged as such.
    return await fetchPicture(parts, new URL(next, url).href, channelId, steps - 1)
  } catch (error) {
    throw new AppError('task.picture', {}, error)
  }
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400
}
