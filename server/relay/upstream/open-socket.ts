import { ownWords } from '../../dialects/own-words.ts'
import { AppError } from '../../errors.ts'
import { lackOf, lacksFiles } from '../../outbound/describe-failure.ts'
import { checkUrl, parseUrl } from '../../outbound/url-rules.ts'
import type { RelayParts } from '../parts.ts'
import { mapStatus } from '../routing/map-status.ts'
import { ClientGone } from '../stream/client-gone.ts'
import type { Attempt } from './try-channels.ts'
import { UpstreamFailure } from './upstream-failure.ts'

/** The runtime's own socket, of which the browser's types know neither the headers nor how to end it at once. */
export function openSocket(url: string, options: Bun.WebSocketOptions): Bun.WebSocket {
  return Reflect.construct(WebSocket, [url, options])
}

export interface Target {
  readonly url: string
  readonly headers: Record<string, string>
  readonly tls?: { serverName: string }
  readonly proxy?: string
}

/** At the address that was judged; behind a proxy, which resolves the name itself, at the name. */
export async function aim(
  { outbound, settings }: Pick<RelayParts, 'outbound'> & { settings: Pick<RelayParts['settings'], 'get'> },
  url: string,
  proxy: string | undefined,
  headers: Record<string, string>,
): Promise<Target> {
  if (proxy === undefined) {
    const pinned = await outbound.pinSocket(url, 'operator')
    return {
      url: pinned.url,
      headers: { ...headers, ...pinned.headers },
      ...(pinned.tls && { tls: pinned.tls }),
    }
  }
  checkUrl(parseUrl(url), 'operator', 'socket', settings.get('AllowPrivateUpstreams'))
  const protocol = URL.parse(proxy)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') throw new AppError('outbound.proxy')
  await outbound.check(proxy, 'operator')
  return { url, headers, proxy }
}

export async function shakeHands(
  socket: Bun.WebSocket,
  attempt: Attempt,
  withinMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = (reason: Error): void => {
    reject(reason)
    socket.terminate()
  }
  const leave = (): void => giveUp(new ClientGone())
  const timer = Number.isFinite(withinMs)
    ? setTimeout(() => giveUp(new UpstreamFailure({ without: 'timeout' })), withinMs)
    : undefined
  signal.addEventListener('abort', leave)
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', event => reject(readRefusal(event, attempt)))
  socket.addEventListener('close', () => reject(new UpstreamFailure({ without: 'connect' })))
  if (signal.aborted) leave()
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** What an upstream answered instead of shaking hands. */
export class HandshakeRefused extends UpstreamFailure {
  readonly answered: number

  constructor(answered: number, { channel }: Attempt) {
    const status = mapStatus(channel.statusMapping, answered)
    super({ problem: { status, ...ownWords('upstream.handshake', { status: answered }) } })
    this.answered = answered
  }
}

/** It does not tell why it could not connect. */
function asUnreached(cause: Error): UpstreamFailure {
  if (!lacksFiles()) return new UpstreamFailure({ without: 'connect' }, cause)
  return new UpstreamFailure({ without: 'lack' }, lackOf('files', cause))
}

/** The runtime tells the status of an answer that was no handshake, and only in words. */
const statusInWords = /Expected 101 status code: (\d{3})/

function readRefusal(event: Event, attempt: Attempt): UpstreamFailure {
  const words = 'message' in event ? String(event.message) : ''
  const answered = Number(statusInWords.exec(words)?.[1] ?? 0)
  // A redirect is no answer, and neither is a page.
  if (answered < 400) return asUnreached(new Error(words))
  return new HandshakeRefused(answered, attempt)
}
