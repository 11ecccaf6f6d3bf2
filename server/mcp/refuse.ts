import type { ErrorCode } from '../../contract/errors.ts'
import type { JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { asProblem } from '../relay/problems.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { RpcFailure, type RpcId, rpcCodes } from './json-rpc.ts'
import { MODERN, sessionVersions } from './protocol.ts'
import { SessionGone } from './upstream/exchange.ts'

const codes: Partial<Record<ErrorCode, number>> = {
  'mcp.batch': rpcCodes.request,
  'mcp.envelope': rpcCodes.params,
  'mcp.header-mismatch': rpcCodes.headers,
  'mcp.http-method': rpcCodes.refused,
  'mcp.method': rpcCodes.method,
  'mcp.no-such': rpcCodes.params,
  'mcp.no-tool': rpcCodes.params,
  'mcp.not-rpc': rpcCodes.request,
  'mcp.session': rpcCodes.session,
  'mcp.version': rpcCodes.version,
  'relay.crowded-json': rpcCodes.request,
  'request.too-large': rpcCodes.request,
}

/** An error as the protocol writes it: in the caller's language, and with nothing inside it. */
export function describeError(error: unknown, incoming: Incoming): JsonObject {
  if (error instanceof RpcFailure) {
    const { code, message, data } = error
    return data === undefined ? { code, message } : { code, message, data }
  }
  const known = error instanceof SessionGone ? new AppError('mcp.session') : error
  const { message, code } = asProblem(known, incoming)
  const data = dataOf(known, code)
  return { code: codeOf(known), message, ...(data && { data }) }
}

export function codeOf(error: unknown): number {
  if (!(error instanceof AppError)) return rpcCodes.internal
  // JSON of another kind than an object is no message; what is no JSON at all cannot be read.
  if (error.code === 'relay.invalid-json')
    return error.cause === undefined ? rpcCodes.request : rpcCodes.parse
  return codes[error.code] ?? (error.status >= 500 ? rpcCodes.internal : rpcCodes.refused)
}

function dataOf(error: unknown, code: unknown): JsonObject | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'mcp.version')
    return { supported: [MODERN, ...sessionVersions], requested: String(error.params.version) }
  const { retryAfter } = error.params
  const said = {
    ...(typeof code === 'string' && { code }),
    ...(typeof retryAfter === 'number' && { retryAfter }),
  }
  return Object.keys(said).length > 0 ? said : undefined
}

/** The answer to a request that failed; what happens to one request is told inside the protocol. */
export function errorOf(id: RpcId | null, error: unknown, incoming: Incoming): JsonObject {
  return { jsonrpc: '2.0', id, error: describeError(error, incoming) }
}

/** What is wrong with a request as such is told by its status too. */
export function refuse(error: unknown, incoming: Incoming, id: RpcId | null = null): Response {
  if (error instanceof ClientGone) return new Response(null, { status: 499 })
  const known = error instanceof SessionGone ? new AppError('mcp.session') : error
  const { status, retryAfter } = asProblem(known, incoming)
  const { requestId, path } = incoming
  if (status >= 500) log.warn('a request to the MCP gateway failed', { requestId, path, status, error })
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(retryAfter))
  if (status === 405) headers.allow = 'POST, DELETE'
  return new Response(JSON.stringify(errorOf(id, error, incoming)), { status, headers })
}
