import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What an order is paid in, where there is more than one currency to pay in. */
export async function orderCurrency(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, text, blank } = columnsFor(engine, db)
  await add('top_ups', 'currency', text(3), blank)
}
