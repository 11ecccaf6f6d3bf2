import { refuseField } from '../../dialects/refuse.ts'
import { cost, highestCost } from '../../ledger/price/cost.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { inputBound, roughInput } from '../counting/estimate-input.ts'
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
  const { maxOutput, choices, media, textLength, speaks } = outline
  const outputAtMost = (maxOutput ?? OUTPUT_QUANTUM) * choices
  if (!Number.isSafeInteger(outputAtMost)) refuseField('max_tokens', 'field.answer-too-long')
  const hasMedia = media.least > 0
  const bounds = {
    inputAtMost: inputBound(textLength, media, media.files.usual),
    outputAtMost,
    calls: choices,
    image: hasMedia,
    audio: hasMedia,
    audioOutput: speaks,
    cacheWrites: outline.cacheWrites,
  }
  const atLeast = order.parts.settings.get('PreConsumedQuota')
  const highest = highestCost(price, bounds)
  const fees = order.boundFees()
  const tokens = maxOutput === undefined && highest > 0 ? Math.max(highest, atLeast) : highest
  const most = fees ? tokens + fees.most : tokens
  const input = roughInput(textLength) + media.least
  const least = cost(price, { input, output: 1, calls: choices }) + (fees?.least ?? 0)
  const isByToken = highest > 0 && price.kind === 'ratio'
  const thinks = isByToken && maxOutput === undefined && mayThink(order, outline)
  if (thinks || (isByToken && media.files.most > media.files.usual)) {
    const inputAtMost = inputBound(textLength, media, media.files.most)
    const upTo = (output: number): number =>
      highestCost(price, { ...bounds, inputAtMost, outputAtMost: output * choices }) + (fees?.most ?? 0)
    const wanted = thinks ? order.parts.unseen.sizeOf(order.model) : outputAtMost / choices
    const possible = upTo(thinks ? MOST_OUTPUT : wanted)
    const limiting = holdUnseen(order, { usual: most, least, possible, wanted: upTo(wanted) })
    if (limiting)
      return limiting.then(granted =>
        thinks || granted < most
          ? lengthFor(price, wanted, { granted, least, input, choices }, speaks)
          : undefined,
      )
  }
  return setAside(order, { most, least }, onRefused)?.then(granted => {
    if (granted >= most || price.kind === 'call') return undefined
    return lengthFor(price, outputAtMost, { granted, least, input, choices }, speaks)
  })
}

function mayThink({ model, parts }: Order, outline: Outline): boolean {
  return parts.unseen.thinks(model, outline.thinks)
}

/** How many tokens each answer may be, for what was granted. */
function lengthFor(
  price: PriceSnapshot,
  wanted: number,
  { granted, least, input, choices }: Record<'granted' | 'least' | 'input' | 'choices', number>,
  speaks: boolean,
): number {
  // With the input, on whose length the price of the output may depend.
  const written = cost(price, { input, output: 1000 })
  const dearest = speaks ? Math.max(written, cost(price, { input, audioOutput: 1000 })) : written
  const perThousand = dearest - cost(price, { input })
  const affordable = perThousand === 0 ? wanted : Math.floor(((granted - least) * 1000) / perThousand)
  return Math.min(wanted, Math.max(1, Math.floor(affordable / choices)))
}

/** All in quota. */
interface UnseenTerms {
  /** What is held where nothing is unseen. */
  readonly usual: number
  readonly least: number
  /** What it could cost if nothing limited it, and what to hold where the balance allows. */
  readonly possible: number
  readonly wanted: number
}

/** Undefined when there is so much money that it may cost what it likes. */
function holdUnseen(
  { admitted: { caller }, bill, parts: { unseen } }: Order,
  { usual, least, possible, wanted }: UnseenTerms,
): Promise<number> | undefined {
  const { userId } = caller
  if (unseen.enter(caller, possible)) {
    bill.onClosed = () => unseen.leave(userId, possible)
    return undefined
  }
  const most = Math.max(usual, Math.min(wanted, unseen.shareOf(caller)))
  unseen.hold(userId, most)
  bill.onClosed = () => unseen.release(userId, most)
  return bill.hold(most, least)
}
