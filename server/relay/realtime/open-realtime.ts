import { AppError } from '../../errors.ts'
import { cost, highestCost } from '../../ledger/price/cost.ts'
import { canServe } from '../../providers/can-serve.ts'
import { providerOf } from '../../providers/index.ts'
import { type Admitted, allowModel } from '../callers/authorise.ts'
import { CallGuard } from '../guards/call-guard.ts'
import { enterLimits, hasLimits } from '../limits/enter-limits.ts'
import { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { asProblem } from '../problems.ts'
import type { Incoming } from '../request/incoming.ts'
import { wantsSocket } from '../request/match-route.ts'
import type { Channel } from '../routing/channel.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import { answerProtocols } from './choose-protocol.ts'
import { connectUpstream } from './connect-upstream.ts'
import { RealtimeSession } from './realtime-session.ts'

/** Set aside when a session begins, and again each time that it is nearly used up. */
const QUANTUM = {
  inputAtMost: 4096,
  outputAtMost: 4096,
  calls: 1,
  image: true,
  audio: true,
  audioOutput: true,
  cacheWrites: 'none',
} as const
/** Who cannot pay ten seconds of talk each way does not begin. */
const LEAST = { audioInput: 100, audioOutput: 200, calls: 1 }

/** `server.upgrade` of the request: false when its client is gone. */
export type Upgrade = (session: RealtimeSession, headers: Record<string, string>) => boolean

/**
 * A session, from its request until both ends are connected. The upstream comes first: while it refuses there
 * is another one to ask, and the client can still be answered in HTTP. Nobody sees the returned answer.
 */
export async function openRealtime(
  parts: RelayParts,
  incoming: Incoming,
  admitted: Admitted,
  upgrade: Upgrade,
): Promise<Response> {
  const { headers, url } = incoming.request
  if (!wantsSocket(headers)) throw new AppError('relay.websocket')
  const model = new URL(url).searchParams.get('model')?.trim()
  if (!model) throw new AppError('relay.model-required')
  allowModel(admitted.caller, model)
  const guard = parts.guards.areIdle ? undefined : CallGuard.for({ parts, incoming, admitted, model })
  // What is spoken is never read.
  if (guard && parts.settings.get('GuardsRefuseUnread')) throw new AppError('guard.unread')
  guard?.refuseTalks()
  const order = new Order(parts, incoming, admitted, { model, stream: true, isSession: true })
  order.guard = guard
  if (hasLimits(parts, admitted)) await enterLimits(order)
  incoming.keepOpen()
  try {
    const quantum = highestCost(order.price, QUANTUM)
    await order.bill.hold(quantum, cost(order.price, LEAST))
    const upstream = await tryChannels(order, { can: canTalk }, attempt => connectUpstream(order, attempt))
    order.noteAnswered()
    const session = new RealtimeSession(order, upstream, quantum)
    if (!upgrade(session, answerProtocols(headers.get('sec-websocket-protocol')))) {
      await session.clientClosed(1006, '')
      throw new ClientGone()
    }
    return new Response(null, { status: 101 })
  } catch (error) {
    const { status, message } = asProblem(error, incoming)
    await order.cancel(status, message)
    throw error
  }
}

function canTalk({ type, baseUrl }: Channel): boolean {
  const provider = providerOf(type)
  return provider !== undefined && canServe(provider, 'realtime', baseUrl ?? provider.baseUrl)
}
