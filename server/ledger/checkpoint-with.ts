import type { Transaction } from 'kysely'
import type { Store } from '../store/index.ts'
import { lockedOn } from '../store/lock-rows.ts'
import type { Schema } from '../store/schema.ts'
import { holdStates, type OfRequest } from './moves.ts'

export interface LockedHold {
  readonly isOpen: boolean
  /** Says what has certainly been used, together with what else the transaction says. */
  checkpoint(charge: number): Promise<void>
}

/**
 * Nobody closes it before the transaction ends. As in every batch the user's row comes first: a checkpoint that is under
 * way has read the hold without a lock, and would write again what it found there. Undefined where nothing is held.
 */
export async function lockHold(
  transaction: Transaction<Schema>,
  { engine }: Pick<Store, 'engine'>,
  { id, userId }: Pick<OfRequest, 'id' | 'userId'>,
): Promise<LockedHold | undefined> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .$call(lockedOn(engine))
    .execute()
  const hold = await transaction
    .selectFrom('holds')
    .select(['state', 'amount', 'checkpoint'])
    .where('id', '=', id)
    .$call(lockedOn(engine))
    .executeTakeFirst()
  if (!hold) return undefined
  return {
    isOpen: hold.state === holdStates.open,
    async checkpoint(charge) {
      const checkpoint = Math.max(hold.checkpoint, Math.min(charge, hold.amount))
      await transaction.updateTable('holds').set({ checkpoint }).where('id', '=', id).execute()
    },
  }
}
