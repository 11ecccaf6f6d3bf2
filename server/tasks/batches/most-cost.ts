import { highestCost } from '../../ledger/price/cost.ts'
import { type PriceSnapshot, usualPrice } from '../../ledger/price/price-snapshot.ts'
import { OUTPUT_QUANTUM } from '../../relay/order/reserve.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Extent } from './extent.ts'

/**
 * The most that the requests of a batch can cost. An answer without a limit is held for as where it is asked for by
 * itself; nobody can be asked for more meanwhile, so one that may be thought about is held for with its thoughts.
 */
export function mostCost(
  { unseen }: RelayParts,
  price: PriceSnapshot,
  extent: Extent,
  cacheWrites: 'minutes' | 'hour' = 'minutes',
): number {
  const each = unseen.thinks(extent.model, extent.thinks === 1) ? unseen.sizeOf(extent.model) : OUTPUT_QUANTUM
  const hasMedia = extent.has_media === 1
  const isLong = price.kind === 'ratio' && price.long !== undefined && extent.longest_input > price.long.over
  return highestCost(isLong ? price : usualPrice(price), {
    inputAtMost: extent.input_bound,
    outputAtMost: extent.output_bound + extent.open_answers * each,
    calls: Math.ceil(extent.answers),
    image: hasMedia,
    audio: hasMedia,
    audioOutput: hasMedia,
    cacheWrites,
  })
}
