import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

const BUCKETS = 12

/** How long answers took, counted by the hour, and the most that each request had set aside. */
export async function statistics(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, add, index, integer, text, required, zero } = columnsFor(engine, db)
  const key = ['hour', 'user_id', 'token_id', 'channel_id', 'model_name', 'group'] as const
  await keyed('usage_latency_hourly', usage => {
    let table = usage
      .addColumn('hour', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('model_name', text(255), required)
      .addColumn('group', text(64), required)
    for (const of of ['took', 'first'])
      for (let at = 0; at < BUCKETS; at++) table = table.addColumn(`${of}_${at}`, integer, zero)
    return table.addPrimaryKeyConstraint('usage_latency_hourly_pk', [...key])
  })
  await index('usage_latency_hourly_user', 'usage_latency_hourly', ['user_id', 'hour'])
  await add('holds', 'held', integer, zero)
  // Rows that no request wrote, and no hourly sum has: few, and so an index of next to nothing.
  if (engine !== 'mysql')
    await sql`create index if not exists logs_unsummed on logs (created_at) where request_id = ''`.execute(db)
}
