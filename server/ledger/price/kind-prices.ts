import { exact, multiply, toNumber } from './decimal.ts'
import { pictureKinds } from './picture-prices.ts'
import type { PriceBook } from './price-book.ts'

/** What Midjourney takes for drawing in a hurry, in times of the usual. */
export const TURBO_RATIO = 2

type Prices = Readonly<Record<string, number>>

/**
 * What kinds of what a model makes cost, where that is not its price for a call: pictures by their quality and size,
 * drawings in a hurry, and whatever has a price as `model:kind`. `listed` is every price in force.
 */
export function kindPrices(book: PriceBook, model: string, listed: Prices): Record<string, number> {
  const usual = book.price(model)
  if (usual.kind !== 'call') return {}
  const times = (ratio: number): number => toNumber(exact(multiply(usual.price, ratio)))
  const prices: Record<string, number> = {}
  for (const [kind, ratio] of Object.entries(pictureKinds(model))) prices[kind] = times(ratio)
  if (model.startsWith('mj_')) prices.turbo = times(TURBO_RATIO)
  for (const [name, price] of Object.entries(listed))
    if (name.startsWith(`${model}:`)) prices[name.slice(model.length + 1)] = price
  return Object.fromEntries(Object.entries(prices).filter(([, price]) => price !== toNumber(usual.price)))
}
