import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * What may be spent within a while, by an account or by a member of a team, in which of these a call counts, and what
 * plans let their owners spend.
 */
export async function spendLimits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, table, index, id, integer, text, required, zero } = columnsFor(engine, db)
  await table('spend_limits', rows =>
    id(rows)
      .addColumn('user_id', integer, required)
      .addColumn('subject', text(10), required)
      .addColumn('member_id', integer, zero)
      .addColumn('period', text(16), required)
      .addColumn('amount', integer, required)
      .addColumn('spent', integer, zero)
      .addColumn('ends_at', integer, zero)
      .addColumn('brought', integer, zero)
      .addColumn('brought_until', integer, zero)
      .addColumn('created_at', integer, required),
  )
  await index('spend_limits_of', 'spend_limits', ['user_id', 'subject', 'member_id', 'period'], 'unique')
  await add('holds', 'limits', text(1000), column => column)
  for (const plan of ['plans', 'subscriptions'])
    for (const limit of ['five_hour_quota', 'week_quota']) await add(plan, limit, integer, zero)
}
