import { isExpired, redemptionStatuses } from '../../contract/redemptions.ts'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { type EntryLog, post } from './entries.ts'

/** Redeems a code for a user, exactly once whoever tries and however many at a time; returns the quota added. */
export function redeem(
  store: Store,
  now: number,
  { key, userId }: { key: string; userId: number },
  describe: (redemption: { id: number; quota: number }) => EntryLog,
): Promise<number> {
  return store.transaction(async transaction => {
    // The condition decides: of many at once only one changes the row. Read after that, it stays as it is.
    const { numUpdatedRows } = await transaction
      .updateTable('redemptions')
      .set({ status: redemptionStatuses.used, used_user_id: userId, redeemed_time: now })
      .where('key', '=', key)
      .where('deleted_at', 'is', null)
      .where('status', '=', redemptionStatuses.unused)
      .where(code => code.or([code('expired_time', '=', 0), code('expired_time', '>', now)]))
      .executeTakeFirst()
    const code = await transaction
      .selectFrom('redemptions')
      .select(['id', 'quota', 'status', 'expired_time'])
      .where('key', '=', key)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!code) throw new AppError('redeem.invalid')
    if (numUpdatedRows === 0n) {
      const isLate = code.status === redemptionStatuses.unused && isExpired(code, now)
      throw new AppError(isLate ? 'redeem.expired' : 'redeem.used')
    }
    await post(transaction, now, { kind: 'redeem', ref: String(code.id), userId }, code.quota, describe(code))
    return code.quota
  })
}
