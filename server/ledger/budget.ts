import type { Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { checkAmount } from './amount.ts'

interface Budget {
  readonly tokenId: number
  readonly userId: number
  /** What remains of it now; the caller's transaction has locked the row. */
  readonly former: number
  readonly to: number
}

/** Sets what remains of a token's budget, with the entry that says by how much it rose or fell. */
export async function setBudget(
  transaction: Transaction<Schema>,
  now: number,
  { tokenId, userId, former, to }: Budget,
): Promise<void> {
  const by = checkAmount(to) - former
  if (by === 0) return
  await transaction
    .insertInto('ledger_entries')
    .values({
      kind: 'budget',
      ref: crypto.randomUUID(),
      user_id: userId,
      token_id: tokenId,
      user_amount: 0,
      token_amount: by,
      created_at: now,
    })
    .execute()
  await transaction
    .updateTable('tokens')
    .set(token => ({ remain_quota: token('remain_quota', '+', by) }))
    .where('id', '=', tokenId)
    .execute()
}
