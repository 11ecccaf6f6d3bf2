import { AppError } from '../../../errors.ts'
import { noteRefusal } from '../../../relay/order/note-refusal.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import type { JsonBody } from '../../../relay/request/read-body.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import type { OwnedCall } from '../../define.ts'
import { isGemini } from '../account.ts'
import { STORAGE } from './charge-cache.ts'

/** An order that is paid in one group, and what storing costs there. */
export interface CacheOrder {
  readonly order: Order
  /** Dollars for a million tokens and an hour, as a decimal. */
  readonly storagePrice: string
}

/** In the first of the caller's groups whose channels can keep it: at one place where it has to be that. */
export function orderCache(
  { parts, incoming, admitted }: OwnedCall,
  model: string,
  body: JsonBody,
  place: FoundPlace | undefined,
): CacheOrder {
  const ordered = { model, stream: false }
  const refuse = (error: AppError): never => {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  const group = (admitted.groups ?? [admitted.group]).find(one =>
    parts.channels
      .candidates(one, model)
      .some(tier => tier.some(channel => (place ? channel === place.channel : isGemini(channel)))),
  )
  if (group === undefined) return refuse(new AppError('relay.no-channel', { group: admitted.group, model }))
  const pinned = place?.channel.id ?? admitted.pinned
  const order = takeOrder(parts, incoming, { ...admitted, group, groups: undefined, pinned }, ordered, body)
  const storagePrice = parts.prices().toolPrice(model, STORAGE)
  // What is paid by the call has no price for what is stored of it.
  if (order.price.kind !== 'ratio' || storagePrice === undefined)
    return refuse(new AppError('gemini.storage-price', { model }))
  return { order, storagePrice: String(storagePrice) }
}
