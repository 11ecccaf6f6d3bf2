import { AppError } from '../../errors.ts'
import {
  countOf,
  divide,
  type Exact,
  type Fraction,
  leastCommonMultiple,
  multiply,
  roundHalfUp,
  safeAmount,
} from './decimal.ts'
import {
  type Amounts,
  categories,
  type Fee,
  inputCategories,
  longPrice,
  outputCategories,
  type PriceSnapshot,
  priceInForce,
  type TokenCategory,
  type Usage,
} from './price-snapshot.ts'
import { allOver, listedWeights, MOST_PLAIN, type Weights, weightsOf } from './price-weights.ts'

/** Quota for the usage: added up as fractions and rounded once; at least 1 for any use of what is not free. */
export function cost(snapshot: PriceSnapshot, usage: Usage): number {
  const weights = weightsOf(priceInForce(snapshot, usage))
  if (usage.fees) return costWithFees(weights, usage, usage.fees, allOver(snapshot))
  return costAt(weights, usage)
}

/**
 * Two million dollars: what is more comes of a mistyped price. No wallet bounds what calls cost the operator, and a sum
 * of them that does not fit its column would fail the commit in which calls are charged.
 */
const MOST_COST = 1e12

/**
 * What a call costs the operator: its usage at so many times the listed price, whatever its group or share makes of
 * the charge. Rounded once; next to nothing is nothing. Undefined where it is more than any call costs.
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

/** The sum in ordinary numbers, as long as every step of it is exact, as nearly always. Undefined where it is not. */
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
function costWithFees(weights: Weights, usage: Usage, fees: readonly Fee[], times: Fraction): number {
  let { total, used } = exactSum(weights, usage)
  let { under } = weights
  for (const { name, count, price, quotaPerUnit } of fees) {
    const fee = multiply(divide(price, 1000), quotaPerUnit, times, countOf(name, count))
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

function charge({ under, free }: Weights, total: bigint, used: boolean): number {
  const rounded = roundHalfUp(total, under)
  return used && !free && rounded === 0n ? 1 : safeAmount(rounded)
}

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
