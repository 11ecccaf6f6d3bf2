import { divide, type Exact, exact } from './decimal.ts'
import { pricePerCall, pricePerMillionTokens } from './default-prices.ts'

/** Everything that can be known of a model's price, built in or set by the operator. */
export type PriceField =
  | 'price'
  | 'modelRatio'
  | 'completionRatio'
  | 'cacheRatio'
  | 'cacheWriteRatio'
  | 'audioRatio'
  | 'audioCompletionRatio'
  | 'imageRatio'
  | 'longInputRatio'
  | 'longOutputRatio'
  | 'longInputFrom'

export type KnownPrice = { readonly [K in PriceField]?: Exact }

/** What a ratio of 1 stands for, in dollars per million tokens. */
const DOLLARS_AT_RATIO_ONE = 2

const known = new Map<string, KnownPrice>()
for (const [model, price] of Object.entries(pricePerCall)) known.set(model, { price })
for (const [model, dollars] of Object.entries(pricePerMillionTokens)) {
  const { in: input, audioIn = input } = dollars
  known.set(model, {
    modelRatio: exact(divide(input, DOLLARS_AT_RATIO_ONE)),
    completionRatio: relative(dollars.out, input),
    cacheRatio: relative(dollars.cached, input),
    cacheWriteRatio: relative(dollars.written, input),
    imageRatio: relative(dollars.image, input),
    audioRatio: relative(dollars.audioIn, input),
    audioCompletionRatio: relative(dollars.audioOut, audioIn),
    longInputRatio: relative(dollars.longIn, input),
    longOutputRatio: relative(dollars.longOut, dollars.out ?? input),
    longInputFrom: dollars.longFrom,
  })
}

function relative(price: number | undefined, to: number): Exact | undefined {
  return price === undefined ? undefined : exact(divide(price, to))
}

/** By model name. */
export const builtInPrices: ReadonlyMap<string, KnownPrice> = known

const month = '(0[1-9]|1[0-2])'
const day = '(0[1-9]|[12]\\d|3[01])'
/** 2024-11-20, 20241120, 241120, 2411, 11-2024, 1120, 11-20, latest. */
const release = new RegExp(
  `^(20\\d\\d-${month}-${day}|(20)?[2-9]\\d${month}${day}|[2-9]\\d${month}|${month}-20\\d\\d|${month}-?${day}|latest)$`,
)

/** The built-in model of which this name is a dated release: `gpt-4o` for `gpt-4o-2024-11-20`. */
export function releaseOf(model: string): string | undefined {
  let dashes = 0
  for (let at = model.lastIndexOf('-'); at > 0 && dashes < 3; at = model.lastIndexOf('-', at - 1)) {
    dashes++
    const name = model.slice(0, at)
    if (builtInPrices.has(name) && release.test(model.slice(at + 1))) return name
  }
  return undefined
}
