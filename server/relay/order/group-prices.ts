import { cost } from '../../ledger/price/cost.ts'
import { priceOfPicture } from '../../ledger/price/picture-prices.ts'
import type { PriceBook } from '../../ledger/price/price-book.ts'
import { type PriceSnapshot, type Usage, usualPrice } from '../../ledger/price/price-snapshot.ts'
import type { Order } from './order.ts'
import type { Ordered } from './ordered.ts'

/** What is ordered, at the price of a group; whatever the place it is computed in. */
export function priceOf({ picture, isSession }: Ordered, price: PriceSnapshot): PriceSnapshot {
  if (picture) return priceOfPicture(price, picture)
  return isSession ? usualPrice(price) : price
}

/** Prices differ between groups by nothing but their ratio. */
export function dearestOf(book: PriceBook, groups: readonly string[], userGroup: string): string {
  const ratioOf = (group: string): number => book.groupRatio(group, userGroup) ?? 0
  return groups.reduce((dearest, group) => (ratioOf(group) > ratioOf(dearest) ? group : dearest))
}

/** What an order costs in the cheapest of the groups that may serve it: so much is certain. */
export function leastCost({ groups, price, model, admitted, book }: Order, usage: Usage): number {
  const prices = groups?.map(group => book.snapshot(model, group, admitted.caller.userGroup)) ?? [price]
  return Math.min(...prices.map(one => cost(one, usage)))
}
