import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { checkAmount } from './amount.ts'
import { type EntryLog, lockedQuota, post } from './entries.ts'

/** An administrator sets a wallet to an amount; requests that run meanwhile keep what they hold. */
export async function setQuota(
  store: Store,
  now: number,
  { userId, quota }: { userId: number; quota: number },
  describe: (former: number) => EntryLog,
): Promise<void> {
  checkAmount(quota)
  await store.db.transaction().execute(async transaction => {
    const former = await lockedQuota(transaction, store, userId)
    if (former === quota) return
    const ref = crypto.randomUUID()
    await post(transaction, now, { kind: 'admin', ref, userId }, quota - former, describe(former))
  })
}

/** Moves earnings from invitations into the wallet. */
export async function transferEarnings(
  store: Store,
  now: number,
  { userId, amount }: { userId: number; amount: number },
): Promise<void> {
  checkAmount(amount)
  await store.db.transaction().execute(async transaction => {
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
  store: Store,
  now: number,
  { inviterId, inviteeId, reward }: { inviterId: number; inviteeId: number; reward: number },
): Promise<void> {
  checkAmount(reward)
  await store.db.transaction().execute(async transaction => {
    await post(transaction, now, { kind: 'invite', ref: String(inviteeId), userId: inviterId }, 0)
    await transaction
      .updateTable('users')
      .set(user => ({
        aff_count: user('aff_count', '+', 1),
        aff_quota: user('aff_quota', '+', reward),
        aff_history_quota: user('aff_history_quota', '+', reward),
      }))
      .where('id', '=', inviterId)
      .execute()
  })
}
