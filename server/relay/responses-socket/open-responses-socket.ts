import { answerProtocols } from '../realtime/choose-protocol.ts'
import type { Incoming } from '../request/incoming.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { ResponsesSocket } from './responses-socket.ts'
import type { Door } from './run-turn.ts'

/** Of the request that opens a socket, what is no business of the calls that come over it. */
const ofOpening: readonly string[] = [
  ...['connection', 'upgrade', 'content-encoding', 'transfer-encoding', 'idempotency-key'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions'],
]
/** A beta of the socket itself, which is only known where there is one. */
const SOCKET_BETA = 'responses_websockets'

/** A socket for many calls; who opens it has been let in, and each call is looked at anew. Nobody sees the answer. */
export function openResponsesSocket(door: Door, incoming: Incoming, lifeMs?: number): Response {
  // All of it now: a request that has become a socket cannot be asked any more.
  const { request, path, address, language } = incoming
  const { url } = request
  const headers = headersOfCalls(request.headers)
  const socket = new ResponsesSocket({ door, path, address, language, url, headers }, lifeMs)
  if (!incoming.upgrade(socket, answerProtocols(request.headers.get('sec-websocket-protocol'))))
    throw new ClientGone()
  return new Response(null, { status: 101 })
}

function headersOfCalls(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of ofOpening) headers.delete(name)
  headers.set('content-type', 'application/json')
  const betas = headers.get('openai-beta')?.split(',')
  const others = betas?.map(beta => beta.trim()).filter(beta => !beta.startsWith(SOCKET_BETA))
  if (others?.length === 0) headers.delete('openai-beta')
  else if (others) headers.set('openai-beta', others.join(', '))
  return headers
}
