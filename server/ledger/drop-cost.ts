import { type Selectable, sql, type Transaction } from 'kysely'
import type { Engine } from '../store/engine.ts'
import type { Holds } from '../store/ledger-schema.ts'
import type { Schema } from '../store/schema.ts'
import { markChanged } from './changed-days.ts'

const HOUR = 3600
/** Clocks of nodes differ a little, and a row may wait for its commit. */
const SLACK = 120

/**
 * What came to nothing and was given back has cost nothing, and what was charged for it is no gain: its row says no
 * cost any more, and neither do the sums of its hour. `before`: only where the row is older.
 */
export async function dropCost(
  transaction: Transaction<Schema>,
  engine: Engine,
  hold: Pick<Selectable<Holds>, 'id' | 'user_id' | 'created_at' | 'updated_at'>,
  before = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const rows = await transaction
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', hold.user_id)
    .where('created_at', '>=', hold.created_at - SLACK)
    .where('created_at', '<=', Math.max(hold.updated_at, hold.created_at) + SLACK)
    .where('request_id', '=', hold.id)
    .where('created_at', '<', before)
    .where('cost', 'is not', null)
    .execute()
  const changed: number[] = []
  for (const row of rows) {
    const { id, created_at, cost, quota } = row
    const less = {
      cost: sql<number>`cost - ${cost ?? 0}`,
      costed_quota: sql<number>`costed_quota - ${quota}`,
    }
    const hour = created_at - (created_at % HOUR)
    const { numUpdatedRows } = await transaction
      .updateTable('logs')
      .set({ cost: null })
      .where('id', '=', id)
      .where('created_at', '=', created_at)
      .where('cost', 'is not', null)
      .executeTakeFirst()
    // Somebody else has done it meanwhile.
    if (numUpdatedRows === 0n) continue
    changed.push(created_at)
    await transaction
      .updateTable('usage_hourly')
      .set(less)
      .where('hour', '=', hour)
      .where('user_id', '=', row.user_id)
      .where('token_id', '=', row.token_id)
      .where('channel_id', '=', row.channel_id)
      .where('model_name', '=', row.model_name)
      .where('group', '=', row.group)
      .execute()
    if (row.labels === null) continue
    await transaction
      .updateTable('usage_labels_hourly')
      .set(less)
      .where('hour', '=', hour)
      .where('user_id', '=', row.user_id)
      .where('token_id', '=', row.token_id)
      .where('labels', '=', row.labels)
      .execute()
  }
  // After the sums and by the day, as in every batch, so that no two wait for each other.
  for (const time of changed.sort((a, b) => a - b)) await markChanged(transaction, engine, time)
}
