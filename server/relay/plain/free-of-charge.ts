import { AppError } from '../../errors.ts'
import { PriceBook } from '../../ledger/price/price-book.ts'
import type { RelayParts } from '../parts.ts'

const freeModeration = /^(omni|text)-moderation(-|$)/

/** The same parts, in whose prices one model costs nothing; also in a `group` that has no ratio. */
export function freeOfCharge(parts: RelayParts, model: string, group?: string): RelayParts {
  const { all } = parts.settings
  const book = new PriceBook({
    ...all,
    ModelPrice: { ...all.ModelPrice, [model]: 0 },
    ...(group === undefined ? {} : { GroupRatio: { [group]: 0 } }),
  })
  return { ...parts, now: () => parts.now(), prices: () => book }
}

/** Vendors give these away. Whoever sets a price for them is heeded. */
export function partsForModeration(parts: RelayParts, model: string): RelayParts {
  if (!freeModeration.test(model)) return parts
  try {
    parts.prices().price(model)
    return parts
  } catch (error) {
    if (error instanceof AppError && error.code === 'price.unknown-model') return freeOfCharge(parts, model)
    throw error
  }
}
