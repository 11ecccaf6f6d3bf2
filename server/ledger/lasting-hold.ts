import type { Transaction } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import { holdStates, LASTING } from './moves.ts'

/**
 * A hold that is to outlive the process that took it: from here on it is closed by a settlement or a release alone.
 * False when it has been closed already.
 */
export async function makeLasting(transaction: Transaction<Schema>, requestId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('holds')
    .set({ node_id: LASTING })
    .where('id', '=', requestId)
    .where('state', '=', holdStates.open)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What such a hold is for, as the ledger knows it. */
export function requestOf(row: { request_id: string; user_id: number; token_id: number }) {
  return { id: row.request_id, userId: row.user_id, tokenId: row.token_id }
}

/** Whether all of it was given back, as by whoever gave up what it was for: nobody would pay for that any more. */
export async function hasComeBack(store: Pick<Store, 'db'>, requestId: string): Promise<boolean> {
  const hold = await store.db
    .selectFrom('holds')
    .select('state')
    .where('id', '=', requestId)
    .executeTakeFirst()
  return hold?.state === holdStates.released
}
