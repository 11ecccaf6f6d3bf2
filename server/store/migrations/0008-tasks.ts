import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Long jobs at upstreams: what is needed to ask after them, to end them once and to give their money back. */
export async function tasks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('task_runs', runs =>
    runs
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('platform', text(40), required)
      .addColumn('action', text(40), blank)
      .addColumn('user_id', integer, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('key_hash', text(64), blank)
      .addColumn('model', text(255), blank)
      .addColumn('calls', integer, required)
      .addColumn('request_id', text(64), required)
      .addColumn('upstream_id', text(191), blank)
      .addColumn('state', text(20), required)
      .addColumn('hook', longText, required)
      .addColumn('submitted_at', integer, required)
      .addColumn('deadline_at', integer, required)
      .addColumn('next_poll_at', integer, required)
      .addColumn('claim', text(40), blank),
  )
  await index('task_runs_due', 'task_runs', ['state', 'next_poll_at'])
  await index('task_runs_claim', 'task_runs', ['claim'])
  await index('task_runs_upstream', 'task_runs', ['upstream_id'])
}
