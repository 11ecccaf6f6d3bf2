import { releaseOf } from '../../../ledger/price/built-in-prices.ts'
import { type PriceBook, type PriceOption, priceOptions } from '../../../ledger/price/price-book.ts'
import type { ImportReport } from '../report.ts'
import type { Planned } from './plan-channels.ts'
import type { Config, Deployment } from './read-config.ts'

type InForce = readonly [PriceOption, Readonly<Record<string, number>>]
type Prices = Partial<Record<PriceOption, number>>
export type NewPrices = Map<PriceOption, Record<string, number>>

/** Dollars for a token that are one ratio: two for a million. */
const RATIO_ONE = 2e-6
/** Divided, a cost gets digits that nobody has written. */
const DIGITS = 12

/**
 * Prices for names that have none: what the file says they cost, or else what the model behind them does. What has
 * a price here keeps it.
 */
export function planPrices(
  channels: readonly Planned[],
  { deployments, aliases }: Config,
  book: PriceBook,
  report: ImportReport,
): NewPrices {
  const found: NewPrices = new Map()
  const written = new Map(deployments.map(each => [each.name, costsOf(each)]))
  const behind = new Map<string, Set<string>>()
  for (const [name, model] of channels.flatMap(({ models }) => [...models]))
    behind.set(name, (behind.get(name) ?? new Set()).add(model))
  const options = Object.keys(priceOptions) as PriceOption[]
  const inForce = options.map((option): InForce => [option, book.inForce(option)])
  for (const [name, models] of behind) {
    if (book.findPrice(name)) continue
    const prices = written.get(aliases.get(name) ?? name) ?? dearestOf(models, inForce)
    if (!prices) report.note(`model ${name}: has no price, so its calls are refused until it gets one`)
    for (const [option, value] of Object.entries(prices ?? {}) as [PriceOption, number][])
      found.set(option, { ...found.get(option), [name]: value })
  }
  return found
}

/** A name may stand for several models, and whoever calls it pays one price: none of them is sold below its own. */
function dearestOf(models: ReadonlySet<string>, inForce: readonly InForce[]): Prices | undefined {
  const priced = [...models].flatMap(model => pricesOf(model, inForce) ?? [])
  const ratioOf = ({ ModelRatio = Number.POSITIVE_INFINITY }: Prices): number => ModelRatio
  return priced.sort((a, b) => ratioOf(b) - ratioOf(a))[0]
}

/** A model goes by its own name, or by that of which it is a dated release. */
function pricesOf(model: string, inForce: readonly InForce[]): Prices | undefined {
  for (const name of [model, releaseOf(model)]) {
    const prices: Prices = {}
    for (const [option, map] of inForce)
      if (name !== undefined && Object.hasOwn(map, name)) prices[option] = map[name]
    if (prices.ModelRatio !== undefined || prices.ModelPrice !== undefined) return prices
  }
  return undefined
}

/** Of a deployment that says what its tokens cost, or a page, or a search. */
function costsOf({ params, info }: Deployment): Prices | undefined {
  const cost = (of: string): number | undefined => {
    const value = Number(params[of] ?? info[of] ?? Number.NaN)
    return Number.isFinite(value) && value >= 0 ? value : undefined
  }
  const each = cost('ocr_cost_per_page') ?? cost('input_cost_per_query')
  const input = cost('input_cost_per_token')
  // Its list has both of some that are paid by the token.
  if (each !== undefined && !input) return { ModelPrice: tidy(each) }
  if (input === undefined) return undefined
  // Other prices are so many times that of the input: nothing here says that only the output costs.
  if (input === 0 && (cost('output_cost_per_token') ?? 0) > 0) return undefined
  const ratio = (option: PriceOption, of: string): Prices => {
    const value = cost(of)
    return value === undefined || input === 0 ? {} : { [option]: tidy(value / input) }
  }
  return {
    ModelRatio: tidy(input / RATIO_ONE),
    ...ratio('CompletionRatio', 'output_cost_per_token'),
    ...ratio('CacheRatio', 'cache_read_input_token_cost'),
    ...ratio('CreateCacheRatio', 'cache_creation_input_token_cost'),
  }
}

function tidy(value: number): number {
  return Number(value.toPrecision(DIGITS))
}
