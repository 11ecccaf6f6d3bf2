import { AppError } from '../errors.ts'
import { isCredentialHeader } from './request-headers.ts'

export type Body = string | Uint8Array | ArrayBuffer | Blob | FormData | ReadableStream<Uint8Array>

export interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: Body | undefined
}

export const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status)
}

/** The request that follows a redirect. The new URL is not judged here: it is pinned like any other. */
export function followRedirect(hop: Hop, status: number, location: string, secrets: readonly string[]): Hop {
  const url = URL.parse(location, hop.url)
  if (!url) throw new AppError('outbound.redirect')
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw new AppError('outbound.redirect')

  const { method } = hop
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  if (!becomesGet && hop.body instanceof ReadableStream) {
    // What has been sent cannot be sent again.
    throw new AppError('outbound.redirect')
  }
  const sameOrigin = url.protocol === hop.url.protocol && url.host === hop.url.host
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(hop.headers)) {
    if (!sameOrigin && isCredentialHeader(name, secrets)) continue
    if (becomesGet && name.startsWith('content-')) continue
    headers[name] = value
  }
  return becomesGet ? { url, method: 'GET', headers, body: undefined } : { ...hop, url, headers }
}
