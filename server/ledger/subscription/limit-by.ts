import type { SpendLimit } from '../../../contract/spend-limits.ts'
import { setLimits } from '../spending/set-limits.ts'
import type { Books, Subscription, Wallet } from './wallet.ts'

/** What the owner of a plan may spend while it runs: of the whole wallet, for what a plan has paid shows only at its end. */
export async function limitBy(
  { transaction, now }: Books,
  { userId }: Wallet,
  { five_hour_quota, week_quota }: Pick<Subscription, 'five_hour_quota' | 'week_quota'>,
): Promise<void> {
  const limits: SpendLimit[] = [
    { period: 'five-hours', amount: five_hour_quota },
    { period: 'seven-days', amount: week_quota },
  ]
  await setLimits(
    transaction,
    { userId, subject: 'plan', memberId: 0 },
    limits.filter(({ amount }) => amount > 0),
    now,
  )
}
