import { asNumber, asObject, asText, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { SseReader } from '../../dialects/sse.ts'
import { AppError } from '../../errors.ts'
import { type Outbound, readText } from '../../outbound/client.ts'
import { isId, RpcFailure, type RpcId, rpcCodes } from '../json-rpc.ts'
import type { McpServer } from '../mcp-server.ts'
import { hideProofs } from './hide-proofs.ts'

/** More than any picture that a tool shows a model. */
const LARGEST_ANSWER = 32 * 1024 * 1024
const LARGEST_REFUSAL = 64 * 1024
const MOST_REDIRECTS = 3

/** The server does not know the session any more that it was asked in. */
export class SessionGone extends Error {
  override readonly name = 'SessionGone'
}

export interface Sending {
  /** In the protocol's own form: a request, or what wants no answer. */
  readonly message: JsonObject
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
  /** What the server says on the way to its answer. */
  readonly onMessage?: ((message: JsonObject) => void) | undefined
}

export interface Received {
  readonly answer: JsonObject
  /** Which session the server has begun, if any. */
  readonly session: string | undefined
}

/** Sends a request, and waits for its answer: whole, or at the end of a stream. */
export async function ask(outbound: Outbound, server: McpServer, sending: Sending): Promise<Received> {
  try {
    const response = await post(outbound, server, sending)
    const session = response.headers.get('mcp-session-id') ?? undefined
    if (!response.ok) throw await refusalOf(response, server, sending.headers['mcp-session-id'] !== undefined)
    const answer = await readAnswer(response, server, sending)
    const error = asObject(answer.error)
    if (error) throw failureOf(error, server)
    if (!asObject(answer.result)) throw new AppError('mcp.bad-answer', { server: server.name })
    return { answer: answer.result as JsonObject, session }
  } catch (error) {
    throw asServerError(error, server, sending.signal)
  }
}

/** Sends what wants no answer. */
export async function tell(outbound: Outbound, server: McpServer, sending: Sending): Promise<void> {
  try {
    const response = await post(outbound, server, sending)
    await response.body?.cancel()
  } catch (error) {
    throw asServerError(error, server, sending.signal)
  }
}

function post(
  outbound: Outbound,
  server: McpServer,
  { message, headers, signal }: Sending,
): Promise<Response> {
  return outbound.fetch(server.url, {
    policy: 'operator',
    method: 'POST',
    headers: {
      ...server.headers,
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
    ...(signal && { signal }),
    ...(server.proxy !== undefined && { proxy: server.proxy }),
    timeoutMs: server.timeoutMs,
    idleMs: server.timeoutMs,
    maxBytes: LARGEST_ANSWER,
    redirect: MOST_REDIRECTS,
    secretHeaders: [...Object.keys(server.headers), 'mcp-session-id'],
  })
}

/** Ends a session. Nobody waits for it: servers forget them by themselves. */
export function endSession(outbound: Outbound, server: McpServer, session: string, version: string): void {
  let headers: Readonly<Record<string, string>>
  try {
    headers = { ...server.headers, 'mcp-session-id': session, 'mcp-protocol-version': version }
  } catch {
    return
  }
  outbound
    .fetch(server.url, {
      policy: 'operator',
      method: 'DELETE',
      headers,
      ...(server.proxy !== undefined && { proxy: server.proxy }),
      timeoutMs: server.timeoutMs,
      maxBytes: LARGEST_REFUSAL,
    })
    .then(response => response.body?.cancel())
    .catch(() => {})
}

async function readAnswer(response: Response, server: McpServer, sending: Sending): Promise<JsonObject> {
  const type = response.headers.get('content-type') ?? ''
  const { id } = sending.message
  if (!isId(id)) throw new AppError('server.internal', {}, new Error('what is asked has no id'))
  if (type.includes('text/event-stream')) return readStream(response, server, id, sending)
  const answer = parseExactly(await readText(response, LARGEST_ANSWER))
  if (!answer || answer.id !== id) throw new AppError('mcp.bad-answer', { server: server.name })
  hideProofs(answer, server)
  return answer
}

async function readStream(
  response: Response,
  server: McpServer,
  id: RpcId,
  { onMessage }: Sending,
): Promise<JsonObject> {
  let answer: JsonObject | undefined
  const reader = new SseReader((_event, data) => {
    const message = answer ? undefined : parseExactly(data)
    if (!message) return
    hideProofs(message, server)
    if (message.method !== undefined) onMessage?.(message)
    else if (message.id === id) answer = message
  })
  for await (const bytes of response.body ?? []) {
    reader.push(bytes)
    // The server may keep the connection for more; nobody here waits for that.
    if (answer) return answer
  }
  reader.end()
  if (answer) return answer
  throw new AppError('mcp.cut', { server: server.name })
}

/** What a status means that is no success. */
async function refusalOf(response: Response, server: McpServer, hasSession: boolean): Promise<Error> {
  const { status } = response
  const text = await readText(response, LARGEST_REFUSAL).catch(() => '')
  if (status === 404 && hasSession) return new SessionGone()
  const error = asObject(parseExactly(text)?.error)
  const failure = error && failureOf(error, server)
  // Words about our own credentials are none for the caller.
  if (failure && status !== 401 && status !== 403 && status < 500) return failure
  return new AppError('mcp.refused', { server: server.name, status })
}

const LONGEST_MESSAGE = 4000

/** The server's words, without what only the operator may know. */
function failureOf({ code, message, data }: JsonObject, server: McpServer): RpcFailure {
  const secrets = server.secrets
  let words = asText(message) ?? ''
  for (const secret of secrets) words = words.replaceAll(secret, '***')
  const told = JSON.stringify(data ?? null)
  return new RpcFailure(
    asNumber(code) ?? rpcCodes.internal,
    words.slice(0, LONGEST_MESSAGE),
    secrets.some(secret => told.includes(secret)) ? undefined : data,
  )
}

/** In words that name no host. */
function asServerError(error: unknown, { name }: McpServer, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  if (!(error instanceof AppError)) return error
  switch (error.code) {
    case 'outbound.timeout':
      return new AppError('mcp.slow', { server: name }, error)
    case 'outbound.too-large':
      return new AppError('mcp.too-large', { server: name }, error)
    case 'outbound.failed':
    case 'outbound.connect':
    case 'outbound.resolve':
    case 'outbound.tls':
    case 'outbound.address':
    case 'outbound.redirect':
    case 'outbound.redirects':
    case 'outbound.bad-url':
    case 'outbound.header':
    case 'outbound.port':
    case 'outbound.proxy':
    case 'outbound.scheme':
      return new AppError('mcp.away', { server: name }, error)
    default:
      return error
  }
}
