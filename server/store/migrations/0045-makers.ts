import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** With which token a long job was ordered, and for teams with which a version of a prompt was asked for. */
export async function makers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, add, integer, required, zero } = columnsFor(engine, db)
  await add('task_runs', 'token_id', integer, zero)
  await keyed('prompt_usage_by_token', usage =>
    usage
      .addColumn('prompt_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('version', integer, required)
      .addColumn('day', integer, required)
      .addColumn('requests', integer, zero)
      .addColumn('errors', integer, zero)
      .addColumn('quota', integer, zero)
      .addPrimaryKeyConstraint('prompt_usage_by_token_pk', ['prompt_id', 'token_id', 'version', 'day']),
  )
}
