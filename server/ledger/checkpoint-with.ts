import type { Transaction } from 'kysely'
import type { Store } from '../store/index.ts'
import { lockedOn } from '../store/lock-rows.ts'
import type { Schema } from '../store/schema.ts'
import { holdStates } from './moves.ts'

export interface LockedHold {
  readonly isOpen: boolean
  /** Says what has certainly been used, together with what else the transaction says. */
  checkpoint(charge: number): Promise<void>
}

/** Nobody closes it before the transaction ends. Undefined where nothing is held. */
export async function lockHold(
  transaction: Transaction<Schema>,
  { engine }: Pick<Store, 'engine'>,
  requestId: string,
): Promise<LockedHold | undefined> {
  const hold = await transaction
    .selectFrom('holds')
    .select(['state', 'amount', 'checkpoint'])
    .where('id', '=', requestId)
    .$call(lockedOn(engine))
    .executeTakeFirst()
  if (!hold) return undefined
  return {
    isOpen: hold.state === holdStates.open,
    async checkpoint(charge) {
      const checkpoint = Math.max(hold.checkpoint, Math.min(charge, hold.amount))
      await transaction.updateTable('holds').set({ checkpoint }).where('id', '=', requestId).execute()
    },
  }
}
