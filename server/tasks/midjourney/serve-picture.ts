import { AppError } from '../../errors.ts'
import type { TaskCall } from '../define.ts'
import { fetchMade } from '../fetch-made.ts'
import { findDrawings } from './show-task.ts'

const LARGEST = 64 * 1024 * 1024
const WHOLE_MS = 120_000
/** Nothing that a browser would run. */
const shown = /^(image\/(png|jpeg|webp|gif|avif)|video\/(mp4|webm))$/

/** A drawing's picture, by way of this server. Its id is as hard to guess as its address would be. */
export async function servePicture({ parts, params, incoming }: TaskCall): Promise<Response> {
  const [drawing] = await findDrawings(parts, [(params.id ?? '').slice(0, 100)])
  if (!drawing || drawing.image_url === '') throw new AppError('task.not-found')
  incoming.keepOpen()
  const channel = parts.channels.byId(drawing.channel_id)
  const limits = { maxBytes: LARGEST, wholeMs: WHOLE_MS }
  const response = await fetchMade(
    parts,
    { channel, baseUrl: channel?.baseUrl },
    drawing.image_url,
    limits,
  ).catch(error => {
    throw new AppError('task.picture', {}, error)
  })
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
