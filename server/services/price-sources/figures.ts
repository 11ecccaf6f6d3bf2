import type { ListedPrice } from '../../../contract/price-sources.ts'
import { divide, exact, type Fraction, multiply, toNumber } from '../../ledger/price/decimal.ts'
import { LONG_INPUT } from '../../ledger/price/vendor-prices.ts'

/** Ratio 1 is two dollars for a million tokens. */
const RATIOS_PER_DOLLAR_A_TOKEN = 500_000
const DOLLARS_AT_RATIO_ONE = 2

/**
 * What lies outside is a slip, or somebody's joke: the dearest models cost a thirtieth of the most, the cheapest
 * thousands of times the least.
 */
const limits = {
  model_ratio: { least: 0.000_001, most: 10_000 },
  model_price: { least: 0.000_001, most: 10_000 },
  completion_ratio: { least: 0.0001, most: 1000 },
  cache_ratio: { least: 0.0001, most: 1000 },
  create_cache_ratio: { least: 0.0001, most: 1000 },
  long_input_ratio: { least: 0.0001, most: 1000 },
  long_output_ratio: { least: 0.0001, most: 1000 },
  long_input_from: { least: 1000, most: 100_000_000 },
} as const satisfies Record<keyof ListedPrice, { least: number; most: number }>

type Field = keyof ListedPrice
const fields = Object.keys(limits) as Field[]

const decimalText = /^-?\d{1,12}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i

/** A number as lists write it, some as text. Undefined where they say nothing, NaN where it is none. */
function numberOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number') return value
  return typeof value === 'string' && decimalText.test(value) ? Number(value) : Number.NaN
}

/**
 * A price, if all that is said of it can be one. A nought stands for what nobody knows in most lists, so it says
 * nothing: that a model is free is for the operator to write.
 */
export function readPrice(said: { readonly [F in Field]?: unknown }): ListedPrice | undefined {
  const price: Partial<Record<Field, number>> = {}
  for (const field of fields) {
    const value = numberOf(said[field])
    if (value === undefined || value === 0) continue
    if (!(value >= limits[field].least && value <= limits[field].most)) return undefined
    price[field] = value
  }
  // Who asks for a price by the call asks for nothing besides.
  if (price.model_price !== undefined) return { model_price: price.model_price }
  return price.model_ratio === undefined ? undefined : withWholeTier(price)
}

/** What long input costs is said whole, as the settings mean it that hold only a part; or it is no other price. */
function withWholeTier(price: ListedPrice): ListedPrice | undefined {
  const { long_input_ratio, long_output_ratio, long_input_from, ...usual } = price
  const input = long_input_ratio ?? 1
  const output = long_output_ratio ?? input
  if (input === 1 && output === 1) return usual
  const from = long_input_from ?? LONG_INPUT
  if (!Number.isInteger(from)) return undefined
  return { ...usual, long_input_ratio: input, long_output_ratio: output, long_input_from: from }
}

interface Dollars {
  readonly input: unknown
  readonly output: unknown
  readonly cacheRead: unknown
  readonly cacheWrite: unknown
  /** What becomes of input and output when the input has more than so many tokens; what it leaves out stays. */
  readonly long?: Tier | undefined
}

export interface Tier {
  readonly over: unknown
  readonly input: unknown
  readonly output: unknown
}

/** From what tokens cost, each or by the million. */
export function readDollars(dollars: Dollars, per: 'token' | 'million'): ListedPrice | undefined {
  const input = numberOf(dollars.input)
  if (input === undefined || !isReckoned(input)) return undefined
  const inRatios =
    per === 'token' ? multiply(input, RATIOS_PER_DOLLAR_A_TOKEN) : divide(input, DOLLARS_AT_RATIO_ONE)
  const relative = (cost: unknown, to: unknown = input): unknown => {
    const [value, usual] = [numberOf(cost), numberOf(to)]
    if (value === undefined || !isReckoned(value)) return value
    return usual === undefined || !isReckoned(usual) ? undefined : near(divide(value, usual))
  }
  const { long } = dollars
  return readPrice({
    model_ratio: near(inRatios),
    completion_ratio: relative(dollars.output),
    cache_ratio: relative(dollars.cacheRead),
    create_cache_ratio: relative(dollars.cacheWrite),
    ...(long && {
      long_input_ratio: relative(long.input ?? input),
      long_output_ratio: relative(long.output ?? dollars.output, dollars.output),
      // A price for long input without a length is none.
      long_input_from: numberOf(long.over) || Number.NaN,
    }),
  })
}

/** Exact arithmetic is for numbers that can be prices; the others need none. */
function isReckoned(value: number): boolean {
  return value > 0 && value < 1_000_000_000
}

/** The one number that the settings can hold for it. */
function near(value: Fraction): number {
  return toNumber(exact(value))
}

/** Digits beyond these are somebody's rounding, and no other price. */
const SAME = 0.000_001

/** Whether what they say of a model is what is in force here. */
export function isSamePrice(own: ListedPrice | null, theirs: ListedPrice): boolean {
  return (
    own !== null && fields.every(field => theirs[field] === undefined || isSame(own[field], theirs[field]))
  )
}

function isSame(own: number | undefined, theirs: number): boolean {
  return own !== undefined && Math.abs(own - theirs) <= SAME * Math.max(own, theirs)
}
