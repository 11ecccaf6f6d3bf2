import type { TokenUsage } from '../../dialects/spec.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import { cost } from '../../ledger/price/cost.ts'
import { chargedFor } from '../order/charged-for.ts'
import type { Order } from '../order/order.ts'
import { CONTAINER, runsInContainer } from '../request/hosted-tools.ts'
import { keepsBeside } from '../stored-answers/ask-keeper.ts'
import { payWindows } from './pay-windows.ts'

/** Charges an answer, with what is due for the containers that it was made in. */
export function settleAnswer(
  order: Order,
  usage: TokenUsage,
  stored: StoredIds | undefined,
): Promise<number> {
  const mayRun = stored?.containers !== undefined || order.hosted?.some(runsInContainer)
  return mayRun && usage.tools?.[CONTAINER] ? settleWith(order, usage, stored) : order.settle(usage)
}

async function settleWith(order: Order, usage: TokenUsage, stored: StoredIds | undefined): Promise<number> {
  const { parts, incoming, admitted, channel, key, book, price, choices, searchesUntold } = order
  const { userId, tokenId } = admitted.caller
  order.hosted = await payWindows(parts, {
    ...{ requestId: incoming.requestId, userId, tokenId },
    place: channel && key !== undefined && keepsBeside(channel) ? { channel, key } : undefined,
    hosted: order.hosted ?? [],
    ran: stored?.containers ?? [],
    costWith: hosted => cost(price, chargedFor({ book, price, choices, searchesUntold, hosted }, usage)),
  })
  return order.settle(usage)
}
