import { refuseField } from '../../dialects/refuse.ts'
import { cost, highestCost } from '../../ledger/price/cost.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { inputBound, roughInput } from '../counting/estimate-input.ts'
import { runsInContainer } from '../request/hosted-tools.ts'
import type { Outline } from '../request/look-at-request.ts'
import type { Order } from './order.ts'
import { mostCallsOfPicture } from './picture-tokens.ts'
import { setAside } from './set-aside.ts'
import { MOST_OUTPUT } from './unseen-output.ts'

/** Tokens of output that are held for where the request sets no limit; the hold is raised while the answer grows. */
export const OUTPUT_QUANTUM = 4096
/** Tokens of what a vendor's own tools find and the model reads, as it usually is and at most. */
const FOUND = { usual: 20_000, most: 200_000 }

/** Sets money aside for a chat call. Resolves with how many tokens each answer may have, where money is scarce. */
export function reserve(
  order: Order,
  outline: Outline,
  onRefused: (error: unknown) => void,
): Promise<number | undefined> | undefined {
  const { price } = order
  const { maxOutput, choices, media, textLength, speaks, background } = outline
  const besides = readBesides(outline)
  const outputAtMost = (maxOutput ?? OUTPUT_QUANTUM) * choices
  if (!Number.isSafeInteger(outputAtMost)) refuseField('max_tokens', 'field.answer-too-long')
  const hasMedia = media.least > 0
  const perImage = order.parts.pictures.mostOf(order.model)
  const bounds = {
    inputAtMost: inputBound(textLength, media, besides.usual, perImage),
    outputAtMost,
    // What is larger than usual is told at the end only.
    calls: price.kind === 'call' ? Math.ceil(choices * mostCallsOfPicture(price.model)) : choices,
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
  // Nobody sees an answer grow that is made in the background: all of it is unseen.
  const thinks = isByToken && maxOutput === undefined && (background || mayThink(order, outline))
  if (thinks || (isByToken && besides.most > besides.usual)) {
    const inputAtMost = inputBound(textLength, media, besides.most, perImage)
    const upTo = (output: number): number =>
      highestCost(price, { ...bounds, inputAtMost, outputAtMost: output * choices }) + (fees?.most ?? 0)
    const wanted = thinks ? order.parts.unseen.sizeOf(order.model) : outputAtMost / choices
    const possible = upTo(thinks ? MOST_OUTPUT : wanted)
    const limiting = holdUnseen(order, { usual: most, least, possible, wanted: upTo(wanted), background })
    if (limiting)
      return limiting.then(granted =>
        (thinks && !(background && granted >= possible)) || granted < most
          ? lengthFor(price, wanted, { granted, least, input, choices }, speaks)
          : undefined,
      )
  }
  // What is paid for a container's time is written down with what is held, before the answer is paid.
  const comesWhole = !order.stream && !background && !outline.hosted?.some(runsInContainer)
  return setAside(order, { most, least }, onRefused, comesWhole)?.then(granted => {
    if (granted >= most || price.kind === 'call') return undefined
    return lengthFor(price, outputAtMost, { granted, least, input, choices }, speaks)
  })
}

/** Tokens that are read besides what is seen here: files, and what is found. */
function readBesides({ media: { files }, finds }: Outline): {
  readonly usual: number
  readonly most: number
} {
  return finds ? { usual: files.usual + FOUND.usual, most: files.most + FOUND.most } : files
}

function mayThink({ model, parts }: Order, outline: Outline): boolean {
  return parts.unseen.thinks(model, outline.thinks)
}

/** How many tokens each answer may have for what was granted. */
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
  /** What is held for a call of which everything can be seen. */
  readonly usual: number
  readonly least: number
  /** What it could cost if nothing limited it. */
  readonly possible: number
  /** What to hold where the balance allows. */
  readonly wanted: number
  /** Whether it goes on when this process does not: then what it could cost is held, and not only remembered. */
  readonly background?: boolean
}

/** Undefined when there is so much money that the call needs no limit; the usual hold is enough then. */
export function holdUnseen(
  { admitted: { caller }, bill, parts: { unseen } }: Order,
  { usual, least, possible, wanted, background }: UnseenTerms,
): Promise<number> | undefined {
  const { userId } = caller
  if (unseen.enter(caller, possible)) {
    bill.onClosed = () => unseen.leave(userId, possible)
    return background ? bill.hold(possible, least) : undefined
  }
  const most = Math.max(usual, Math.min(wanted, unseen.shareOf(caller)))
  unseen.hold(userId, most)
  bill.onClosed = () => unseen.release(userId, most)
  return bill.hold(most, least)
}
