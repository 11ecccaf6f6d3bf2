import { type Claim, isRefusal, type Limits, type Refusal } from '../../store/counters/counters.ts'
import type { Order } from '../order/order.ts'
import type { Channel } from '../routing/channel.ts'
import { Claims } from './claims.ts'

/** Counts an attempt against its channel's limits; a channel that is at one of them is passed over. */
export async function enterChannel(order: Order, { id }: Channel, limits: Limits): Promise<Claim | Refusal> {
  const { store } = order.parts
  const taken = await store.counters.take([{ name: `channel:${id}`, limits }], order.estimatedTokens)
  if (isRefusal(taken)) return taken
  order.claims ??= new Claims()
  order.claims.add(taken)
  return taken
}
