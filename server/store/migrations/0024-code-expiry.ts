import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** When a redemption code ends; 0 for never. */
export async function codeExpiry(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, zero } = columnsFor(engine, db)
  await add('redemptions', 'expired_time', integer, zero)
}
