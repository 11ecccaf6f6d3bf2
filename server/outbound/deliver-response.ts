import { AppError } from '../errors.ts'
import { decodeBody } from './decode-body.ts'
import type { Deadline } from './keep-time.ts'
import { limitBody } from './limit-body.ts'

export interface DeliverOptions {
  maxBytes?: number
  idleMs?: number
  wholeMs?: number
}

/**
 * The answer as the caller gets it: decoded, its headers true of its body, its limits in force. One that needs
 * none of this is handed on untouched, so that the relay's stream stays the runtime's own.
 */
export function deliver(
  response: Response,
  method: string,
  options: DeliverOptions,
  deadline: Deadline,
): Response {
  deadline.onHeaders()
  const { status, headers } = response
  if (status < 200 || status > 599) {
    response.body?.cancel().catch(() => {})
    throw new AppError('outbound.failed')
  }
  const { maxBytes, idleMs, wholeMs } = options
  const coding = headers.get('content-encoding')
  const limited = maxBytes !== undefined || idleMs !== undefined || wholeMs !== undefined
  // Asking for `body` alone would already cost the runtime's fast path.
  if (coding === null && !limited) return response
  const body = mayHaveBody(response, method) ? response.body : null
  if (!body) {
    deadline.end()
    return response
  }
  const decoded = decodeBody(body, coding)
  const outHeaders = new Headers(headers)
  if (decoded) {
    outHeaders.delete('content-encoding')
    outHeaders.delete('content-length')
  }
  const limits = {
    maxBytes,
    declaredBytes: Number(outHeaders.get('content-length') ?? 0),
    idleMs,
    signal: deadline.signal,
    onEnd: deadline.end,
  }
  const { statusText } = response
  return new Response(limitBody(decoded ?? body, limits), { status, statusText, headers: outHeaders })
}

function mayHaveBody({ status, headers }: Response, method: string): boolean {
  if (method === 'HEAD' || status === 204 || status === 205 || status === 304) return false
  return headers.get('content-length') !== '0'
}
