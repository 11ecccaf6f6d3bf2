import { AppError } from '../../errors.ts'
import { cost, highestCost, type PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { inputBound, leastOf, noMedia, roughInput } from '../counting/estimate-input.ts'
import type { Outline } from '../request/look-at-request.ts'
import type { Order } from './order.ts'
import { setAside } from './set-aside.ts'
import { MOST_OUTPUT } from './unseen-output.ts'

/** Set aside for an answer that may be as long as it likes; raised while it grows. */
export const OUTPUT_QUANTUM = 4096

/** Sets money aside for a chat call; where it is scarce, tells how long the answer may be. */
export function reserve(
  order: Order,
  outline: Outline,
  onRefused: (error: unknown) => void,
): Promise<number | undefined> | undefined {
  const { price } = order
  const { maxOutput, choices, mediaCount, distant } = outline
  const outputAtMost = (maxOutput ?? OUTPUT_QUANTUM) * choices
  if (!Number.isSafeInteger(outputAtMost))
    throw new AppError('dialect.field', { field: 'max_tokens', detail: 'too large' })
  const hasMedia = mediaCount + distant.images + distant.files > 0
  const media = hasMedia
    ? { ...noMedia, images: mediaCount + distant.images, distantFiles: distant.files }
    : noMedia
  const bounds = {
    inputAtMost: inputBound(outline.textLength, media),
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
  if (maxOutput === undefined && highest > 0 && thinks(order, outline)) {
    const upTo = (tokens: number): number =>
      highestCost(price, { ...bounds, outputAtMost: tokens * choices }) + (fees?.most ?? 0)
    const limiting = holdUnseen(order, { usual: most, least, upTo })
    if (limiting)
      return limiting.then(({ granted, wanted }) =>
        lengthFor(price, wanted, { granted, least, input, choices }),
      )
  }
  return setAside(order, { most, least }, onRefused)?.then(granted => {
    if (granted >= most || price.kind === 'call') return undefined
    return lengthFor(price, outputAtMost, { granted, least, input, choices })
  })
}

function thinks({ model, parts, price }: Order, outline: Outline): boolean {
  return price.kind === 'ratio' && parts.unseen.thinks(model, outline.thinks)
}

/** How many tokens each answer may be, for what was granted. */
function lengthFor(
  price: PriceSnapshot,
  wanted: number,
  { granted, least, input, choices }: Record<'granted' | 'least' | 'input' | 'choices', number>,
): number {
  // With the input, on whose length the price of the output may depend.
  const perThousand = cost(price, { input, output: 1000 }) - cost(price, { input })
  const affordable = perThousand === 0 ? wanted : Math.floor(((granted - least) * 1000) / perThousand)
  return Math.min(wanted, Math.max(1, Math.floor(affordable / choices)))
}

interface UnseenTerms {
  readonly usual: number
  readonly least: number
  /** What an answer of so many tokens costs at most. */
  upTo(tokens: number): number
}

/** Undefined when there is so much money that the answer may be as long as it likes. */
function holdUnseen(
  { admitted: { caller }, bill, model, parts: { unseen } }: Order,
  { usual, least, upTo }: UnseenTerms,
): Promise<{ readonly granted: number; readonly wanted: number }> | undefined {
  const { userId } = caller
  const possible = upTo(MOST_OUTPUT)
  if (unseen.enter(caller, possible)) {
    bill.onClosed = () => unseen.leave(userId, possible)
    return undefined
  }
  const wanted = unseen.sizeOf(model)
  const most = Math.max(usual, Math.min(upTo(wanted), unseen.shareOf(caller)))
  unseen.hold(userId, most)
  bill.onClosed = () => unseen.release(userId, most)
  return bill.hold(most, least).then(granted => ({ granted, wanted }))
}
