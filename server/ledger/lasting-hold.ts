import type { Transaction } from 'kysely'
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
