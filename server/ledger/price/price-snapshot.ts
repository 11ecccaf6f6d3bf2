import { type Exact, exact, multiply } from './decimal.ts'

/** By tokens: ratio 1 is one quota per token, which is 2 dollars per million tokens. */
export interface RatioPrice {
  readonly kind: 'ratio'
  readonly modelRatio: Exact
  /** The rest is relative to the model ratio; the last one is relative to the audio ratio. */
  readonly completionRatio: Exact
  readonly cacheRatio: Exact
  readonly cacheWriteRatio: Exact
  readonly cacheWriteHourRatio: Exact
  readonly imageRatio: Exact
  readonly audioRatio: Exact
  readonly audioCompletionRatio: Exact
  /** Ratios that take the place of those above, for all tokens of a request whose input is longer than `over`. */
  readonly long?: Pick<RatioPrice, 'modelRatio' | 'completionRatio' | 'audioCompletionRatio'> & {
    readonly over: number
  }
}

/** What the vendor's own searches cost, in dollars for a thousand. */
export interface SearchPrice {
  readonly price: Exact
  readonly quotaPerUnit: number
  /** `always`: each answer is one search, which no usage tells. `once`: however many an answer took, one is paid. */
  readonly counts?: 'always' | 'once'
}

/** So many of something that comes on top, each at a price of its own in dollars for a thousand. */
export interface Fee {
  readonly name: string
  readonly count: number
  readonly price: Exact
  readonly quotaPerUnit: number
}

/** By calls, in dollars. What a call is depends on the model: one image, one query, one second of video, one page. */
export interface CallPrice {
  readonly kind: 'call'
  readonly price: Exact
  readonly quotaPerUnit: number
}

export type ModelPrice = RatioPrice | CallPrice

/** The price of one request, fixed when it begins. Plain JSON: it is stored with the hold. */
export type PriceSnapshot = ModelPrice & {
  readonly model: string
  readonly group: string
  readonly groupRatio: Exact
  /** The caller's own group, where its users pay another ratio in `group` than others do. */
  readonly userGroup?: string
  readonly search?: SearchPrice
  /** The part of the price that is asked for a kept answer; absent for one that a model makes. */
  readonly share?: Exact
  /** The part of the price that is asked of calls in a batch, for which vendors ask less too. */
  readonly batch?: Exact
}

export const inputCategories = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'imageInput',
  'audioInput',
] as const
export const outputCategories = ['output', 'audioOutput'] as const
export const categories = [...inputCategories, ...outputCategories, 'calls', 'searches'] as const
export type TokenCategory = (typeof inputCategories | typeof outputCategories)[number]
export type Category = (typeof categories)[number]

/**
 * What was used. No token stands in two categories: `input` is text that came from no cache and went into
 * none, `output` is text with its reasoning. `calls` is 1 unless said otherwise. `searches` are the vendor's own,
 * on the web, which come on top of either.
 */
export type Amounts = { readonly [K in Category]?: number }
export type Usage = Amounts & { readonly fees?: readonly Fee[] }

/** The price for this much input: the usual one, or the one for long input. */
export function priceInForce<Price extends PriceSnapshot>(snapshot: Price, usage: Usage): Price {
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  let input = 0
  for (const category of inputCategories) input += usage[category] ?? 0
  return input > snapshot.long.over ? longPrice(snapshot) : snapshot
}

/** Without the price for long input: for realtime sessions, whose input is the sum of many calls. */
export function usualPrice(snapshot: PriceSnapshot): PriceSnapshot {
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  const { long: _, ...usual } = snapshot
  return Object.freeze(usual)
}

/** The price of a kept answer. At a share of 0 nothing is asked, not even the 1 that any paid use costs at least. */
export function atShare(snapshot: PriceSnapshot, share: Exact): PriceSnapshot {
  return Object.freeze({ ...snapshot, share })
}

/** The price of calls that come in a batch. */
export function inBatch(snapshot: PriceSnapshot, ratio: Exact): PriceSnapshot {
  return Object.freeze({ ...snapshot, batch: ratio })
}

const dearer = new WeakMap<PriceSnapshot, PriceSnapshot>()

/** With every token at so many times its price. Kept by the snapshot alone, so `ratio` has to be the same each time. */
export function timesPrice(snapshot: PriceSnapshot, ratio: Exact): PriceSnapshot {
  if (snapshot.kind !== 'ratio' || ratio === 1) return snapshot
  const known = dearer.get(snapshot)
  if (known) return known
  const { long } = snapshot
  const price = Object.freeze({
    ...snapshot,
    modelRatio: exact(multiply(snapshot.modelRatio, ratio)),
    ...(long ? { long: { ...long, modelRatio: exact(multiply(long.modelRatio, ratio)) } } : {}),
  })
  dearer.set(snapshot, price)
  return price
}

const longPrices = new WeakMap<PriceSnapshot, PriceSnapshot>()

export function longPrice<Price extends PriceSnapshot>(snapshot: Price): Price
export function longPrice(snapshot: PriceSnapshot): PriceSnapshot {
  const known = longPrices.get(snapshot)
  if (known) return known
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  const { long, ...usual } = snapshot
  const { over: _, ...ratios } = long
  const price = Object.freeze({ ...usual, ...ratios })
  longPrices.set(snapshot, price)
  return price
}
