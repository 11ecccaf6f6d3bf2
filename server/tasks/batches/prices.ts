import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { BatchRow } from './batch-rows.ts'

/** What one of a batch's models costs, as it did when the batch began, and how many requests ask it. */
export interface ModelPrice {
  readonly price: PriceSnapshot
  readonly lines: number
}

/** Of all its models in their turn. Where there is one, its hold knows the price. */
export async function pricesOf({ store }: RelayParts, batch: BatchRow): Promise<readonly ModelPrice[]> {
  if (batch.prices !== null) return JSON.parse(batch.prices) as ModelPrice[]
  const hold = await store.db
    .selectFrom('holds')
    .select('price')
    .where('id', '=', batch.request_id)
    .executeTakeFirstOrThrow()
  return [{ price: JSON.parse(hold.price) as PriceSnapshot, lines: batch.line_count }]
}

/** What its requests may ask, in their turn. */
export function modelsOf({ model, prices }: BatchRow): readonly string[] {
  if (prices === null) return [model]
  return (JSON.parse(prices) as ModelPrice[]).map(({ price }) => price.model)
}
