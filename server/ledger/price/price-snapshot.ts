import { AppError } from '../../errors.ts'
import {
  countOf,
  divide,
  type Exact,
  exact,
  type Fraction,
  leastCommonMultiple,
  multiply,
  roundHalfUp,
  safeAmount,
} from './decimal.ts'

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
  /** What stands in place of the same for all of a request whose input is longer than `over`. */
  readonly long?: Pick<RatioPrice, 'modelRatio' | 'completionRatio' | 'audioCompletionRatio'> & {
    readonly over: number
  }
}

/** What the vendor's own searches cost, in dollars for a thousand. */
export interface SearchPrice {
  readonly price: Exact
  readonly quotaPerUnit: number
  /** `always`: each answer is one, of which nobody tells. `once`: however many an answer took, one is paid. */
  readonly counts?: 'always' | 'once'
}

/** So many of something that comes on top, each at a price of its own in dollars for a thousand. */
export interface Fee {
  readonly name: string
  readonly count: number
  readonly price: Exact
  readonly quotaPerUnit: number
}

/** By calls, in dollars. What a call is depends on the model: one image, one query, one second of video. */
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
  /** Whose users pay this ratio, where it is not what others pay in the group. */
  readonly userGroup?: string
  readonly search?: SearchPrice
  /** What part of all this is asked, where an answer is given that was made for an earlier call. */
  readonly share?: Exact
  /** What part of all this is asked of calls that come in a batch, which vendors ask less for too. */
  readonly batch?: Exact
}

const tokenCategories = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'imageInput',
  'audioInput',
  'output',
  'audioOutput',
] as const
type TokenCategory = (typeof tokenCategories)[number]
type Category = TokenCategory | 'calls' | 'searches'

/**
 * What was used. No token stands in two categories: `input` is text that came from no cache and went into
 * none, `output` is text with its reasoning. `calls` is 1 unless said otherwise. `searches` are the vendor's own,
 * on the web, which come on top of either.
 */
export type Amounts = { readonly [K in Category]?: number }
export type Usage = Amounts & { readonly fees?: readonly Fee[] }

/** The most that a request can use, and what it may bring besides text. */
export interface Bounds {
  readonly inputAtMost: number
  readonly outputAtMost: number
  readonly calls?: number
  readonly image?: boolean
  readonly audio?: boolean
  readonly audioOutput?: boolean
  /** The longest that its input may be kept by the upstream's cache; `hour`, the dearest, when not known. */
  readonly cacheWrites?: 'none' | 'minutes' | 'hour'
}

/** Quota for the usage: added up as fractions and rounded once; at least 1 for any use of what is not free. */
export function cost(snapshot: PriceSnapshot, usage: Usage): number {
  const weights = weightsOf(priceInForce(snapshot, usage))
  if (usage.fees) return costWithFees(weights, usage, usage.fees, allOver(snapshot))
  return costAt(weights, usage)
}

/**
 * Two million dollars, at a price that somebody has mistyped. No wallet bounds what a call costs, and sums of it must
 * fit where charges are written, or nobody could be charged.
 */
const MOST_COST = 1e12

/**
 * What the same use costs at so many times the listed price, whatever its group pays and whoever made the answer:
 * rounded once, and nothing for next to nothing. Undefined where that is more than any call costs.
 */
export function listedCost(snapshot: PriceSnapshot, usage: Usage, times: Exact = 1): number | undefined {
  const weights = listedWeights(priceInForce(snapshot, usage), times)
  try {
    const all = usage.fees
      ? costWithFees(weights, usage, usage.fees, multiply(times))
      : costAt(weights, usage)
    return all > MOST_COST ? undefined : all
  } catch (error) {
    if (error instanceof AppError && error.code === 'price.too-high') return undefined
    throw error
  }
}

function costAt(weights: Weights, usage: Amounts): number {
  return plainCost(weights, usage) ?? exactCost(weights, usage)
}

const inputCategories = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'imageInput',
  'audioInput',
] as const satisfies readonly TokenCategory[]

/** The price for this much input: the usual one, or the one for long input. */
export function priceInForce<Price extends PriceSnapshot>(snapshot: Price, usage: Usage): Price {
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  let input = 0
  for (const category of inputCategories) input += usage[category] ?? 0
  return input > snapshot.long.over ? longPrice(snapshot) : snapshot
}

/** The same sum in ordinary numbers, for as long as every step of it is exact; that is nearly always. */
function plainCost({ plain, free }: Weights, usage: Usage): number | undefined {
  if (!plain) return undefined
  let used = false
  let total = 0
  for (const category of categories) {
    const given = usage[category]
    const weight = plain.per[category]
    if (given === undefined && category !== 'calls') continue
    const amount = given === undefined ? 1 : countOf(category, given)
    if (amount === 0 || weight === undefined) continue
    used = true
    total += amount * weight
  }
  if (total > MOST_PLAIN) return undefined
  const whole = Math.floor(total / plain.under)
  const rest = total - whole * plain.under
  const rounded = rest * 2 >= plain.under ? whole + 1 : whole
  return used && !free && rounded === 0 ? 1 : rounded
}

function exactCost(weights: Weights, usage: Usage): number {
  const { total, used } = exactSum(weights, usage)
  return charge(weights, total, used)
}

/** Rounded once, with all that comes on top. */
function costWithFees(weights: Weights, usage: Usage, fees: readonly Fee[], allOver: Fraction): number {
  let { total, used } = exactSum(weights, usage)
  let { under } = weights
  for (const { name, count, price, quotaPerUnit } of fees) {
    const fee = multiply(divide(price, 1000), quotaPerUnit, allOver, countOf(name, count))
    const common = leastCommonMultiple(under, fee.under)
    total = total * (common / under) + fee.over * (common / fee.under)
    under = common
    used ||= count > 0
  }
  return charge({ ...weights, under }, total, used)
}

function exactSum(weights: Weights, usage: Usage): { total: bigint; used: boolean } {
  let used = false
  let total = 0n
  for (const category of categories) {
    const given = usage[category]
    const amount = given === undefined ? Number(category === 'calls') : countOf(category, given)
    const weight = weights.per[category]
    if (amount === 0 || weight === undefined) continue
    used = true
    total += BigInt(amount) * weight
  }
  return { total, used }
}

/** No usage within the bounds costs more. */
export function highestCost(snapshot: PriceSnapshot, bounds: Bounds): number {
  const input = countOf('inputAtMost', bounds.inputAtMost)
  const output = countOf('outputAtMost', bounds.outputAtMost)
  if (snapshot.kind === 'call') return cost(snapshot, { calls: bounds.calls })
  const usual = highestAt(weightsOf(snapshot), bounds, input, output)
  if (!snapshot.long || input <= snapshot.long.over) return usual
  return Math.max(usual, highestAt(weightsOf(longPrice(snapshot)), bounds, input, output))
}

function highestAt(weights: Weights, bounds: Bounds, input: number, output: number): number {
  const dearestInput = dearest(weights, inputCategories, bounds)
  const dearestOutput = dearest(weights, outputCategories, bounds)
  return costAt(weights, { [dearestInput]: input, [dearestOutput]: output })
}

const outputCategories = ['output', 'audioOutput'] as const satisfies readonly TokenCategory[]

/** What costs the most of what may come about. */
function dearest(
  { per }: Weights,
  possible: readonly [TokenCategory, ...TokenCategory[]],
  bounds: Bounds,
): TokenCategory {
  let dearest = possible[0]
  for (const category of possible)
    if (mayBring(bounds, category) && (per[category] ?? 0n) > (per[dearest] ?? 0n)) dearest = category
  return dearest
}

function mayBring({ image, audio, audioOutput, cacheWrites }: Bounds, category: TokenCategory): boolean {
  switch (category) {
    case 'cacheWrite':
      return cacheWrites !== 'none'
    case 'cacheWriteHour':
      return (cacheWrites ?? 'hour') === 'hour'
    case 'imageInput':
      return image === true
    case 'audioInput':
      return audio === true
    case 'audioOutput':
      return audioOutput === true
    default:
      return true
  }
}

/** Quota per unit of what the price charges for, over one denominator. */
interface Weights {
  readonly per: { readonly [K in Category]?: bigint }
  readonly under: bigint
  readonly free: boolean
  /** The same as numbers, unless they are too large for that. */
  readonly plain: { readonly per: { readonly [K in Category]?: number }; readonly under: number } | undefined
}

/** Sums up to here, and quotients of them, are exact in floating point with room to spare. */
const MOST_PLAIN = 2 ** 50

const categories = [...tokenCategories, 'calls', 'searches'] as const
const known = new WeakMap<PriceSnapshot, Weights>()

/** Worked out once per snapshot, which the price book shares between requests. */
function weightsOf(snapshot: PriceSnapshot): Weights {
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
function listedWeights(snapshot: PriceSnapshot, times: Exact): Weights {
  const ofSnapshot = listed.get(snapshot) ?? new Map<Exact, Weights>()
  let weights = ofSnapshot.get(times)
  if (weights === undefined) {
    // As of something free, of which a little is not rounded up.
    weights = { ...weigh({ ...snapshot, groupRatio: times, share: 1 }), free: true }
    listed.set(snapshot, ofSnapshot.set(times, weights))
  }
  return weights
}

/** Without the price for long input: for what is many calls, none of which is long, and is added up. */
export function usualPrice(snapshot: PriceSnapshot): PriceSnapshot {
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  const { long: _, ...usual } = snapshot
  return Object.freeze(usual)
}

/** The same for an answer that was made before; of a call that would have cost something, 0 makes one that is free. */
export function atShare(snapshot: PriceSnapshot, share: Exact): PriceSnapshot {
  return Object.freeze({ ...snapshot, share })
}

/** The same for what comes in a batch. */
export function inBatch(snapshot: PriceSnapshot, ratio: Exact): PriceSnapshot {
  return Object.freeze({ ...snapshot, batch: ratio })
}

const dearer = new WeakMap<PriceSnapshot, PriceSnapshot>()

/** With every token at so many times its price; `ratio` is the same whenever a snapshot is asked for. */
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

function longPrice<Price extends PriceSnapshot>(snapshot: Price): Price
function longPrice(snapshot: PriceSnapshot): PriceSnapshot {
  const known = longPrices.get(snapshot)
  if (known) return known
  if (snapshot.kind !== 'ratio' || !snapshot.long) return snapshot
  const { long, ...usual } = snapshot
  const { over: _, ...ratios } = long
  const price = Object.freeze({ ...usual, ...ratios })
  longPrices.set(snapshot, price)
  return price
}

/** What everything is multiplied by, tokens, calls and what comes on top alike. */
function allOver({ groupRatio, share = 1, batch = 1 }: PriceSnapshot): Fraction {
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

function charge({ under, free }: Weights, total: bigint, used: boolean): number {
  const rounded = roundHalfUp(total, under)
  return used && !free && rounded === 0n ? 1 : safeAmount(rounded)
}
