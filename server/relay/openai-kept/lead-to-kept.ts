import { AppError } from '../../errors.ts'
import type { Order } from '../order/order.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { type FoundPlace, findPlace, isSamePlace, type Place } from '../routing/place.ts'
import { modelOfKeeper } from '../upstream/try-models.ts'
import { knownContainers } from './container-rows.ts'
import { findConversation } from './conversation-rows.ts'

/** What a request names of what OpenAI's accounts keep for callers. */
export interface NamedKept {
  readonly conversation: string | undefined
  readonly containers: readonly string[]
  /** Containers that it only tells of, because code was run there before: they may be gone. */
  readonly met: readonly string[]
}

/** Which account has what a request names: there alone it can be served. Undefined where none of it is known here. */
export async function placeOfKept(
  order: Order,
  { conversation, containers, met }: NamedKept,
): Promise<FoundPlace | undefined> {
  const { parts, admitted } = order
  const places: Place[] = []
  if (conversation !== undefined) {
    const row = await findConversation(parts, admitted.caller, conversation)
    if (!row) throw unknownConversation(conversation)
    places.push(row)
  }
  // What was made elsewhere with the same account is whose who knows its name.
  const known = await knownContainers(parts, admitted.caller, [...containers, ...met])
  for (const id of containers) {
    const row = known.get(id)
    if (row) places.push(row)
  }
  const [first] = places
  if (!first) return undefined
  for (const one of places) if (!isSamePlace(one, first)) throw new AppError('kept.apart')
  return placeToServe(order, first)
}

export function unknownConversation(id: string): AppError {
  return new AppError('kept.no-conversation', { id: id.slice(0, 128) })
}

/** Whoever asks, and for what. */
export type Asking = Pick<Order, 'parts' | 'incoming' | 'admitted' | 'asked' | 'model' | 'failover' | 'book'>

/** Throws where its channel or key is gone, or does not serve the model to this caller. */
export function placeToServe(order: Asking, row: Place): FoundPlace {
  const { parts, admitted, model } = order
  const place = findPlace(parts, row)
  if (!place?.channel.isEnabled) throw new AppError('kept.gone')
  const { id } = place.channel
  const isAsked =
    admitted.pinned === undefined
      ? candidatesFor(parts.channels, admitted, model).some(tier => tier.includes(place.channel))
      : admitted.pinned === id
  if (!isAsked && modelOfKeeper(order, id) === undefined) throw new AppError('kept.elsewhere', { model })
  return place
}
