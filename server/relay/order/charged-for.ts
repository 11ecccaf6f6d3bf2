import type { TokenUsage } from '../../dialects/spec.ts'
import type { LogRow } from '../../ledger/moves.ts'
import type { PriceBook } from '../../ledger/price/price-book.ts'
import type { PriceSnapshot, Usage } from '../../ledger/price/price-snapshot.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import { addFees, hasFees } from './charge-tools.ts'
import { asCharged } from './charge-usage.ts'

/** What a call is charged by, whatever it has used. */
export interface Charging {
  readonly book: PriceBook
  readonly price: PriceSnapshot
  /** How many answers were asked for. */
  readonly choices: number
  /** The vendor's own tools that the request offered the model. */
  readonly hosted: readonly HostedTool[] | undefined
  /** Whether the web was searched for it and nobody tells. */
  readonly searchesUntold: boolean
}

/** What is left of an order that somebody else settles. Plain JSON. */
export interface HandedOver extends Omit<Charging, 'book'> {
  /** In the log, as far as it is known. */
  readonly row: LogRow
}

/** What a vendor says was used, in the ledger's categories, with all that comes on top. */
export function chargedFor(charging: Charging, told: TokenUsage): Usage {
  const { book, price, choices, hosted, searchesUntold } = charging
  const usage = searchesUntold && told.searches === undefined ? { ...told, searches: 1 } : told
  const charged = asCharged(usage)
  const all = choices > 1 ? { ...charged, calls: choices } : charged
  return hasFees(price, usage) ? addFees(book, price, usage, all, hosted) : all
}
