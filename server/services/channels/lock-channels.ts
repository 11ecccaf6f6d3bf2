import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'

/**
 * The ids of these channels, locked until the transaction ends where the engine locks rows. Everyone takes them in
 * this order, and before what they serve, so that nobody waits for someone who waits for them.
 */
export async function lockChannels(
  { store }: Pick<App, 'store'>,
  transaction: Transaction<Schema>,
  which: (channel: ExpressionBuilder<Schema, 'channels'>) => Expression<SqlBool>,
): Promise<number[]> {
  const found = await transaction
    .selectFrom('channels')
    .select('id')
    .where(which)
    .orderBy('id')
    .$call(lockedOn(store.engine))
    .execute()
  return found.map(({ id }) => id)
}
