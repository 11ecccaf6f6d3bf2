import { isRefusal } from '../../store/counters/counters.ts'
import { endWith } from '../contents/transcript.ts'
import { enterGroup } from '../limits/enter-limits.ts'
import { writeLimitHeaders } from '../limits/limit-headers.ts'
import type { Order } from '../order/order.ts'
import { setAside } from '../order/set-aside.ts'
import { eventHeaders } from '../stream/client-sink.ts'
import type { StopCord } from '../upstream/stop-cord.ts'
import type { AnswerSlot } from './answer-slot.ts'
import type { KeptAnswer, KeptUsage } from './kept-answer.ts'

/** The answer that is kept, if there is one: paid like any other, at its share of the price, and then handed over. */
export async function serveKept(
  order: Order,
  slot: AnswerSlot,
  cord: StopCord,
): Promise<Response | undefined> {
  const found = await slot.find()
  if (!found || !(await turnToGroup(order, found.answer.group))) return undefined
  const { answer: kept, similarity } = found
  cord.check()
  order.similarity = similarity
  const charged = await pay(order, kept.usage, cord)
  cord.release()
  const { transcript } = order.incoming
  if (transcript) {
    transcript.isFree = charged === 0
    endWith(transcript, kept.body, kept.type)
  }
  const response = new Response(kept.body, { headers: headersOf(order, kept) })
  slot.tellHit(response.headers, found)
  if (order.claims) writeLimitHeaders(response.headers, order.claims.figures)
  return response
}

/** Of several groups the one that served it, as long as it may. One that is at its limit is for others to see to. */
async function turnToGroup(order: Order, former: string): Promise<boolean> {
  const { groups } = order
  if (!groups) return true
  const group = groups.includes(former) ? former : (groups[0] ?? '')
  const entered = await enterGroup(order, group)
  if (entered && isRefusal(entered)) return false
  order.turnToGroup(group)
  return true
}

/** Who has nothing left gets nothing that would have cost something, also where its share is nothing. */
async function pay(order: Order, usage: KeptUsage, cord: StopCord): Promise<number> {
  const usual = order.costOfKept(usage)
  order.takeShare(order.parts.settings.get('AnswerCacheRatio'))
  const needed = Math.max(order.costOfKept(usage), Math.min(usual, 1))
  await setAside(order, { most: needed, least: needed }, cord.stop, true)
  await order.bill.held(false)
  return order.settleKept(usage)
}

function headersOf({ stream }: Order, { type }: KeptAnswer): Record<string, string> {
  return stream ? eventHeaders(type) : { 'content-type': type }
}
