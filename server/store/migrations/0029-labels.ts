import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Eight labels of 64 characters each, with commas between them. */
const LONGEST = 519

/**
 * What calls were for, in their callers' words: of each call, of a token for all of its calls, of a hold so that
 * whoever ends it knows, and what they came to by the hour.
 */
export async function labels(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, add, index, integer, text, required, zero } = columnsFor(engine, db)
  for (const labelled of ['logs', 'tokens', 'holds'])
    await add(labelled, 'labels', text(LONGEST), column => column)
  await keyed('usage_labels_hourly', usage =>
    usage
      .addColumn('hour', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('labels', text(LONGEST), required)
      .addColumn('requests', integer, zero)
      .addColumn('errors', integer, zero)
      .addColumn('quota', integer, zero)
      .addColumn('prompt_tokens', integer, zero)
      .addColumn('completion_tokens', integer, zero)
      .addColumn('cost', integer, zero)
      .addColumn('costed_quota', integer, zero)
      .addPrimaryKeyConstraint('usage_labels_hourly_pk', ['hour', 'user_id', 'token_id', 'labels']),
  )
  await index('usage_labels_hourly_user', 'usage_labels_hourly', ['user_id', 'hour'])
}
