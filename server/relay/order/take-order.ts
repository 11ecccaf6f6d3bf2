import { AppError } from '../../errors.ts'
import { type Admitted, allowModel } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { JsonBody } from '../request/read-body.ts'
import { refuseSensitiveWords } from '../request/sensitive-words.ts'
import { fallbacksFor } from '../routing/fallbacks.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { noteRefusal } from './note-refusal.ts'
import { Order } from './order.ts'
import type { Ordered } from './ordered.ts'

/** What is asked for becomes an order, if the caller may have it and somebody can serve it. */
export function takeOrder(
  parts: RelayParts,
  incoming: Incoming,
  admitted: Admitted,
  ordered: Ordered,
  body: Pick<JsonBody, 'json'> & Partial<JsonBody>,
  mayFallBack = false,
): Order {
  const { model, failover } = ordered
  const { group, pinned } = admitted
  try {
    allowModel(admitted.caller, model)
    refuseSensitiveWords(parts.settings, body)
    if (pinned !== undefined || candidatesFor(parts.channels, admitted, model).length > 0)
      return new Order(parts, incoming, admitted, ordered)
    const asking = { incoming, admitted, asked: model, failover }
    const [other] = mayFallBack ? fallbacksFor(parts, asking, 'unserved') : []
    if (other === undefined) throw new AppError('relay.no-channel', { group, model })
    return new Order(parts, incoming, admitted, ordered, other)
  } catch (error) {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
}
