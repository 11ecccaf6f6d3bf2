import { breakdown } from '../../../ledger/price/breakdown.ts'
import { cost, listedCost } from '../../../ledger/price/cost.ts'
import { divide, exact } from '../../../ledger/price/decimal.ts'
import type { PriceSnapshot, Usage } from '../../../ledger/price/price-snapshot.ts'

/** Under this name its price stands among those of vendors' tools: dollars for a million tokens and an hour. */
export const STORAGE = 'cache_storage'
const HOUR = 3600

/** What is written, and for how long it is stored. */
export interface Stored {
  /** Tokens that are written now; none where only the time becomes longer. */
  readonly written: number
  readonly tokens: number
  readonly seconds: number
  /** Sound among them, which vendors do not tell apart here: all of it is paid as that. */
  readonly hasSound: boolean
  /** A decimal. */
  readonly storagePrice: string
  readonly quotaPerUnit: number
}

/** Tokens at the price of input, and the hours of all of them in advance; of those, a part of one is a whole one. */
export function usageOf({ written, tokens, seconds, hasSound, storagePrice, quotaPerUnit }: Stored): Usage {
  const count = Math.ceil((tokens * seconds) / HOUR)
  const price = exact(divide(Number(storagePrice), 1000))
  return {
    ...(written > 0 && (hasSound ? { audioInput: written } : { input: written })),
    calls: 0,
    ...(count > 0 && { fees: [{ name: STORAGE, count, price, quotaPerUnit }] }),
  }
}

export function costOfCache(price: PriceSnapshot, stored: Stored): number {
  return cost(price, usageOf(dearest(price, stored)))
}

/** What goes into the log with it. */
export function chargeCache(price: PriceSnapshot, stored: Stored, costRatio: number | undefined) {
  const usage = usageOf(dearest(price, stored))
  const own = costRatio === undefined ? undefined : listedCost(price, usage, costRatio)
  return { ...breakdown(price, usage), cost: own }
}

/** Sound is never cheaper than words. */
function dearest(price: PriceSnapshot, stored: Stored): Stored {
  if (!stored.hasSound) return stored
  const [asSound, asWords] = [stored, { ...stored, hasSound: false }]
  return cost(price, usageOf(asSound)) >= cost(price, usageOf(asWords)) ? asSound : asWords
}
