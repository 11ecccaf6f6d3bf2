import type { ErrorCode } from '../../contract/errors.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { squeeze } from './compress.ts'
import type { Exchange } from './exchange.ts'
import type { Written } from './write-output.ts'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

export function json(body: unknown, status = 200): Response {
  return jsonText(JSON.stringify(body), status)
}

function jsonText(text: string, status = 200): Response {
  return new Response(text, { status, headers: jsonHeaders })
}

/** The same for answers that can be long. */
export async function squeezedJson(written: Written, request: Request): Promise<Response> {
  const { body, headers } = await squeeze(written, request)
  return new Response(body, { headers: { ...jsonHeaders, ...headers } })
}

/** Seconds to wait before asking again, where the error does not say. */
const waits: Readonly<Record<number, number>> = { 429: 60, 503: 2 }

/** What clients act upon, and must know in every language. */
const codes: { readonly [code in ErrorCode]?: { readonly code: string } } = {
  'verify.required': { code: 'VERIFICATION_REQUIRED' },
  'option.edited': { code: 'OPTION_EDITED' },
}

/** The one place where an error becomes an answer of the management API. */
export function renderError(error: unknown, exchange: Exchange): Response {
  // Nobody reads it; the status is for our own count.
  if (error instanceof ClientGone) return new Response(null, { status: 499 })
  const known = error instanceof AppError ? error : undefined
  const status = known?.status ?? 500
  if (status >= 500)
    log.error('a request failed', { requestId: exchange.requestId, path: exchange.path, status, error })
  const shown = known ?? new AppError('server.internal', { requestId: exchange.requestId })
  const response = json(
    { success: false, message: shown.text(exchange.language), data: null, ...codes[shown.code] },
    status,
  )
  const wait = waits[status]
  if (wait) response.headers.set('retry-after', String(shown.params.retryAfter ?? wait))
  if (status === 405) response.headers.set('allow', 'GET')
  return response
}

/** Unknown paths answer in the shape that model API clients understand. */
export function notFound(exchange: Exchange): Response {
  const { method } = exchange.request
  const message = `Invalid URL (${method} ${exchange.path.slice(0, 200)})`
  return json({ error: { message, type: 'invalid_request_error', param: '', code: '' } }, 404)
}
