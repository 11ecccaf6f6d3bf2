import { AppError } from '../errors.ts'
import { cost, highestCost } from '../ledger/price/price-snapshot.ts'
import { inputBound, noMedia, roughInput } from './counting/estimate-input.ts'
import type { Outline } from './look-at-request.ts'
import type { Order } from './order.ts'

/** Set aside for an answer that may be as long as it likes; raised while it grows. */
export const OUTPUT_QUANTUM = 4096
/** Who has this many times the most that a call can cost does not wait for the hold before the call goes out. */
const AMPLE = 4

/**
 * Sets money aside for a chat call. A plain answer is handed over only when it is paid, so with very much money
 * there is no need to: hold and settlement are then one. While there is plenty the call goes out at once and the
 * hold is committed meanwhile; when it is scarce the hold comes first, and what it allows is the limit of the answer.
 * Returns that limit, if there is one.
 */
export async function reserve(
  order: Order,
  outline: Outline,
  onRefused: (error: unknown) => void,
): Promise<number | undefined> {
  const { bill, price } = order
  const { maxOutput, choices, mediaCount } = outline
  const outputAtMost = (maxOutput ?? OUTPUT_QUANTUM) * choices
  if (!Number.isSafeInteger(outputAtMost))
    throw new AppError('dialect.field', { field: 'max_tokens', detail: 'too large' })
  const bounds = {
    inputAtMost: inputBound(outline.textLength, { ...noMedia, images: mediaCount, fileBytes: 0 }),
    outputAtMost,
    calls: choices,
    image: mediaCount > 0,
    audio: mediaCount > 0,
    cacheWrites: outline.cacheWrites,
  }
  const atLeast = order.parts.settings.get('PreConsumedQuota')
  const highest = highestCost(price, bounds)
  const most = maxOutput === undefined && highest > 0 ? Math.max(highest, atLeast) : highest
  const input = roughInput(outline.textLength)
  const least = cost(price, { input, output: 1, calls: choices })
  const { caller } = order.admitted
  const { credit, ledger } = order.parts
  if (!order.stream && ledger.isReachable && credit.take(caller, most)) {
    bill.holdNothing(charged => credit.end(caller, most, charged))
    return undefined
  }
  if (caller.balance >= most * AMPLE) {
    // The balance was read a while ago. A call that is out already cannot be limited: all of it, or nothing.
    bill.hold(most, most).catch(error => {
      caller.balance = 0
      onRefused(error)
    })
    return undefined
  }
  const granted = await bill.hold(most, least)
  if (granted >= most || price.kind === 'call') return undefined
  const perThousand = cost(price, { output: 1000 })
  const affordable = perThousand === 0 ? outputAtMost : Math.floor(((granted - least) * 1000) / perThousand)
  return Math.min(outputAtMost, Math.max(1, Math.floor(affordable / choices)))
}
