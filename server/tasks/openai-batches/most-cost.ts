import { highestCost } from '../../ledger/price/cost.ts'
import { type PriceSnapshot, usualPrice } from '../../ledger/price/price-snapshot.ts'
import { OUTPUT_QUANTUM } from '../../relay/order/reserve.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { FileRow } from './file-rows.ts'

/**
 * The most that the requests of a file can cost. An answer without a limit is held for as where it is asked for by
 * itself; nobody can be asked for more meanwhile, so one that may be thought about is held for with its thoughts.
 */
export function mostCost({ unseen }: RelayParts, price: PriceSnapshot, file: FileRow): number {
  const each = unseen.thinks(file.model, file.thinks === 1) ? unseen.sizeOf(file.model) : OUTPUT_QUANTUM
  const hasMedia = file.has_media === 1
  const isLong = price.kind === 'ratio' && price.long !== undefined && file.longest_input > price.long.over
  return highestCost(isLong ? price : usualPrice(price), {
    inputAtMost: file.input_bound,
    outputAtMost: file.output_bound + file.open_answers * each,
    calls: file.answers,
    image: hasMedia,
    audio: hasMedia,
    audioOutput: hasMedia,
    cacheWrites: 'minutes',
  })
}
