import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What an order credits, whatever the settings say by the time it is paid; when a user was last reminded. */
export async function wallet(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, zero } = columnsFor(engine, db)
  await add('top_ups', 'quota', integer, zero)
  await add('users', 'quota_reminded_at', integer, zero)
  await add('users', 'quota_reminded_used', integer, zero)
}
