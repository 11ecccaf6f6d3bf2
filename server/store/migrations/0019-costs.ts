import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * What calls cost the operator: null where that is not known. Of an hour, what they cost together and what was
 * charged for those of which it is known.
 */
export async function costs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, zero } = columnsFor(engine, db)
  await add('logs', 'cost', integer, column => column)
  await add('usage_hourly', 'cost', integer, zero)
  await add('usage_hourly', 'costed_quota', integer, zero)
}
