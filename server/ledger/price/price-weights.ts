import { divide, type Exact, type Fraction, leastCommonMultiple, multiply } from './decimal.ts'
import {
  type CallPrice,
  type Category,
  categories,
  type PriceSnapshot,
  type RatioPrice,
  type TokenCategory,
} from './price-snapshot.ts'

/** Quota per unit of what the price charges for, over one denominator. */
export interface Weights {
  readonly per: { readonly [K in Category]?: bigint }
  readonly under: bigint
  readonly free: boolean
  /** The same as numbers, unless they are too large for that. */
  readonly plain: { readonly per: { readonly [K in Category]?: number }; readonly under: number } | undefined
}

/** Sums up to here, and quotients of them, are exact in floating point with room to spare. */
export const MOST_PLAIN = 2 ** 50

const known = new WeakMap<PriceSnapshot, Weights>()

/** Worked out once per snapshot, which the price book shares between requests. */
export function weightsOf(snapshot: PriceSnapshot): Weights {
  let weights = known.get(snapshot)
  if (weights === undefined) {
    weights = weigh(snapshot)
    known.set(snapshot, weights)
  }
  return weights
}

function weigh(snapshot: PriceSnapshot): Weights {
  return snapshot.kind === 'ratio' ? tokenWeights(snapshot) : callWeights(snapshot)
}

const listed = new WeakMap<PriceSnapshot, Map<Exact, Weights>>()

/** The same at so many times what is listed; these are few, for they are the operator's. */
export function listedWeights(snapshot: PriceSnapshot, times: Exact): Weights {
  const ofSnapshot = listed.get(snapshot) ?? new Map<Exact, Weights>()
  let weights = ofSnapshot.get(times)
  if (weights === undefined) {
    // As of something free, of which a little is not rounded up.
    weights = { ...weigh({ ...snapshot, groupRatio: times, share: 1 }), free: true }
    listed.set(snapshot, ofSnapshot.set(times, weights))
  }
  return weights
}

/** What everything is multiplied by, tokens, calls and what comes on top alike. */
export function allOver({ groupRatio, share = 1, batch = 1 }: PriceSnapshot): Fraction {
  return multiply(groupRatio, share, batch)
}

function tokenWeights(price: PriceSnapshot & RatioPrice): Weights {
  const base = multiply(price.modelRatio, allOver(price))
  const rates: Record<TokenCategory, Fraction> = {
    input: base,
    cacheRead: multiply(base, price.cacheRatio),
    cacheWrite: multiply(base, price.cacheWriteRatio),
    cacheWriteHour: multiply(base, price.cacheWriteHourRatio),
    imageInput: multiply(base, price.imageRatio),
    audioInput: multiply(base, price.audioRatio),
    output: multiply(base, price.completionRatio),
    audioOutput: multiply(base, price.audioRatio, price.audioCompletionRatio),
  }
  return overOne({ ...rates, ...searchRate(price) }, base.over === 0n)
}

function callWeights(snapshot: PriceSnapshot & CallPrice): Weights {
  const calls = multiply(snapshot.price, snapshot.quotaPerUnit, allOver(snapshot))
  return overOne({ calls, ...searchRate(snapshot) }, calls.over === 0n)
}

function searchRate(snapshot: PriceSnapshot): { readonly searches?: Fraction } {
  const { search } = snapshot
  if (!search) return {}
  return { searches: multiply(divide(search.price, 1000), search.quotaPerUnit, allOver(snapshot)) }
}

/** Rates over one denominator. */
function overOne(rates: { readonly [K in Category]?: Fraction }, free: boolean): Weights {
  const under = Object.values(rates).reduce((so, rate) => leastCommonMultiple(so, rate.under), 1n)
  const per: { [K in Category]?: bigint } = {}
  for (const category of categories) {
    const rate = rates[category]
    if (rate) per[category] = rate.over * (under / rate.under)
  }
  return { per, under, free, plain: asNumbers(per, under) }
}

function asNumbers(per: Weights['per'], under: bigint): Weights['plain'] {
  const entries = Object.entries(per).map(([category, weight]) => [category, Number(weight)] as const)
  const isSmall = Number(under) <= MOST_PLAIN && entries.every(([, weight]) => weight <= MOST_PLAIN)
  return isSmall ? { per: Object.fromEntries(entries), under: Number(under) } : undefined
}
