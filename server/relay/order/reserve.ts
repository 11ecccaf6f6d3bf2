import { AppError } from '../../errors.ts'
import { cost, highestCost } from '../../ledger/price/price-snapshot.ts'
import { inputBound, leastOf, noMedia, roughInput } from '../counting/estimate-input.ts'
import type { Outline } from '../request/look-at-request.ts'
import type { Order } from './order.ts'
import { setAside } from './set-aside.ts'

/** Set aside for an answer that may be as long as it likes; raised while it grows. */
export const OUTPUT_QUANTUM = 4096

/** Sets money aside for a chat call; where it is scarce, returns how long the answer may be. */
export async function reserve(
  order: Order,
  outline: Outline,
  onRefused: (error: unknown) => void,
): Promise<number | undefined> {
  const { price } = order
  const { maxOutput, choices, mediaCount, distant } = outline
  const outputAtMost = (maxOutput ?? OUTPUT_QUANTUM) * choices
  if (!Number.isSafeInteger(outputAtMost))
    throw new AppError('dialect.field', { field: 'max_tokens', detail: 'too large' })
  const hasMedia = mediaCount + distant.images + distant.files > 0
  const bounds = {
    inputAtMost: inputBound(outline.textLength, {
      ...noMedia,
      images: mediaCount + distant.images,
      distantFiles: distant.files,
    }),
    outputAtMost,
    calls: choices,
    image: hasMedia,
    audio: hasMedia,
    cacheWrites: outline.cacheWrites,
  }
  const atLeast = order.parts.settings.get('PreConsumedQuota')
  const highest = highestCost(price, bounds)
  const fees = order.boundFees()
  const tokens = maxOutput === undefined && highest > 0 ? Math.max(highest, atLeast) : highest
  const most = fees ? tokens + fees.most : tokens
  const input = roughInput(outline.textLength) + leastOf(distant)
  const least = cost(price, { input, output: 1, calls: choices }) + (fees?.least ?? 0)
  const granted = (await setAside(order, { most, least }, onRefused)) ?? most
  if (granted >= most || price.kind === 'call') return undefined
  // With the input, on whose length the price of the output may depend.
  const perThousand = cost(price, { input, output: 1000 }) - cost(price, { input })
  const affordable = perThousand === 0 ? outputAtMost : Math.floor(((granted - least) * 1000) / perThousand)
  return Math.min(outputAtMost, Math.max(1, Math.floor(affordable / choices)))
}
