import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Which channel's upstream keeps an answer that a later request may name, and whom it was made for. */
export async function keptAnswers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, text, required } = columnsFor(engine, db)
  await keyed('kept_answers', kept =>
    kept
      .addColumn('name_hash', text(32), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('created_at', integer, required),
  )
  await index('kept_answers_age', 'kept_answers', ['created_at'])
}
