import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * What days that are over came to, as it was asked, so that nobody adds them up again after a start; and which days have
 * changed since they were over, so that nobody believes what they came to before.
 */
export async function keptDays(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, index, integer, text, longText, required } = columnsFor(engine, db)
  await keyed('changed_days', days =>
    days
      .addColumn('day', integer, column => column.notNull().primaryKey())
      .addColumn('changes', integer, required),
  )
  await table('kept_days', days =>
    days
      .addColumn('name', text(255), required)
      .addColumn('starts_at', integer, required)
      .addColumn('ends_at', integer, required)
      .addColumn('changes', integer, required)
      .addColumn('seen_at', integer, required)
      .addColumn('sums', longText, required)
      .addPrimaryKeyConstraint('kept_days_pk', ['name', 'starts_at']),
  )
  await index('kept_days_seen', 'kept_days', ['seen_at'])
}
