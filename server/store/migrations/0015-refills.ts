import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Budgets that renew themselves: to how much, how often, when next, and when they last did; 0 for never. */
export async function refills(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, index, integer, text, zero } = columnsFor(engine, db)
  await add('tokens', 'refill_quota', integer, zero)
  await add('tokens', 'refill_period', text(16), column => column.notNull().defaultTo('none'))
  await add('tokens', 'refill_at', integer, zero)
  await add('tokens', 'refilled_at', integer, zero)
  await index('tokens_refill', 'tokens', ['refill_at'])
}
