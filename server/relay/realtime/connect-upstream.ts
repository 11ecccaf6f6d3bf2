import { AppError } from '../../errors.ts'
import { cleanHeaders } from '../../outbound/request-headers.ts'
import { checkUrl, parseUrl } from '../../outbound/url-rules.ts'
import { headersOf, urlOf } from '../../providers/address-request.ts'
import { providerOf } from '../../providers/index.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { mapStatus } from '../routing/map-status.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { outgoingHeaders } from '../upstream/outgoing-headers.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.ts'
import { askWhy } from './ask-why.ts'
import { betaHeader } from './choose-protocol.ts'
import { openSocket, UpstreamSocket } from './upstream-socket.ts'

/** One attempt: resolves when the upstream has taken the connection. */
export async function connectUpstream(order: Order, attempt: Attempt): Promise<UpstreamSocket> {
  const { request } = order.incoming
  const { url, headers } = address(attempt, request)
  let options: Target
  try {
    options = await aim(order.parts, url, attempt.channel.setting.proxy, cleanHeaders(headers))
  } catch (error) {
    throw asUpstreamFailure(error)
  }
  const { url: pinned, ...rest } = options
  const socket = openSocket(pinned, { ...rest, perMessageDeflate: false })
  const upstream = new UpstreamSocket(url, socket)
  const seconds = order.parts.settings.get('UpstreamFirstByteSeconds')
  try {
    await shakeHands(socket, attempt, seconds * 1000, request.signal)
  } catch (error) {
    throw error instanceof HandshakeRefused
      ? await askWhy(order, attempt, { url, headers, status: error.answered }, error)
      : error
  }
  return upstream
}

function address({ channel, model, key }: Attempt, request: Request) {
  const provider = providerOf(channel.type)
  const endpoint = provider?.realtime
  if (!provider || !endpoint) throw new AppError('dialect.unsupported', { feature: 'realtime' })
  const { other, organization, baseUrl = provider.baseUrl } = channel
  const to = { baseUrl, key, model, stream: true, other, organization }
  const own = {
    ...headersOf(provider, endpoint, to),
    ...betaHeader(request.headers.get('sec-websocket-protocol')),
  }
  const headers = outgoingHeaders(own, { channel, model, key }, request, true, '')
  for (const name of Object.keys(headers)) if (name.startsWith('sec-websocket-')) delete headers[name]
  return { url: urlOf(endpoint, to).replace(/^http/, 'ws'), headers }
}

interface Target {
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
class HandshakeRefused extends UpstreamFailure {
  readonly answered: number

  constructor(answered: number, { channel }: Attempt) {
    const status = mapStatus(channel.statusMapping, answered)
    const message = `The upstream refused the connection with status ${answered}`
    super({ problem: { status, message } })
    this.answered = answered
  }
}

/** The runtime tells the status of an answer that was no handshake, and only in words. */
const statusInWords = /Expected 101 status code: (\d{3})/

function readRefusal(event: Event, attempt: Attempt): UpstreamFailure {
  const words = 'message' in event ? String(event.message) : ''
  const answered = Number(statusInWords.exec(words)?.[1] ?? 0)
  // A redirect is no answer, and neither is a page.
  if (answered < 400) return new UpstreamFailure({ without: 'connect' }, new Error(words))
  return new HandshakeRefused(answered, attempt)
}
