import { refuseNamed } from '../../dialects/refuse.ts'
import { cleanHeaders } from '../../outbound/request-headers.ts'
import { headersOf, urlOf } from '../../providers/address-request.ts'
import { providerOf } from '../../providers/index.ts'
import type { Order } from '../order/order.ts'
import { aim, HandshakeRefused, openSocket, shakeHands, type Target } from '../upstream/open-socket.ts'
import { outgoingHeaders } from '../upstream/outgoing-headers.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { asUpstreamFailure } from '../upstream/upstream-failure.ts'
import { askWhy } from './ask-why.ts'
import { betaHeader } from './choose-protocol.ts'
import { UpstreamSocket } from './upstream-socket.ts'

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
  if (!provider || !endpoint) refuseNamed('realtime')
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
