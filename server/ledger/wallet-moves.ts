import type { Transaction } from 'kysely'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import { checkAmount } from './amount.ts'
import { type EntryLog, lockedQuota, post } from './entries.ts'

/**
 * An administrator sets a wallet to an amount, or to what follows from the amount it has, inside a transaction of
 * the caller's; requests that run meanwhile keep what they hold. Returns what the wallet held.
 */
export async function setQuota(
  transaction: Transaction<Schema>,
  store: Pick<Store, 'engine'>,
  now: number,
  { userId, quota: wanted }: { userId: number; quota: number | ((former: number) => number) },
  describe: (former: number, quota: number) => EntryLog,
): Promise<number> {
  const former = await lockedQuota(transaction, store, userId)
  const quota = typeof wanted === 'number' ? wanted : wanted(former)
  checkAmount(quota)
  if (former === quota) return former
  const ref = crypto.randomUUID()
  await post(transaction, now, { kind: 'admin', ref, userId }, quota - former, describe(former, quota))
  return former
}

/** Moves earnings from invitations into the wallet. */
export async function transferEarnings(
  store: Store,
  now: number,
  { userId, amount }: { userId: number; amount: number },
): Promise<void> {
  checkAmount(amount)
  await store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set(user => ({ aff_quota: user('aff_quota', '-', amount) }))
      .where('id', '=', userId)
      .where('aff_quota', '>=', amount)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('earnings.not-enough')
    await post(transaction, now, { kind: 'earnings', ref: crypto.randomUUID(), userId }, amount)
  })
}

/** What an inviter earns for one invited user, once. Earnings are not quota until they are transferred. */
export async function rewardInviter(
  transaction: Transaction<Schema>,
  now: number,
  { inviterId, inviteeId, reward }: { inviterId: number; inviteeId: number; reward: number },
  row?: EntryLog,
): Promise<void> {
  checkAmount(reward)
  await post(transaction, now, { kind: 'invite', ref: String(inviteeId), userId: inviterId }, 0, row)
  await transaction
    .updateTable('users')
    .set(user => ({
      aff_count: user('aff_count', '+', 1),
      aff_quota: user('aff_quota', '+', reward),
      aff_history_quota: user('aff_history_quota', '+', reward),
    }))
    .where('id', '=', inviterId)
    .execute()
}
