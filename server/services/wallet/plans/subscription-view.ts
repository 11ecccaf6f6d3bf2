import type { SubscriptionView } from '../../../../contract/plans.ts'
import { restOf, subscriptionStates } from '../../../ledger/subscription/wallet.ts'
import type { App } from '../../app.ts'

const MOST = 100

/** A user's plans, the latest first. */
export function subscriptionsOfUser(app: App, userId: number): Promise<SubscriptionView[]> {
  return readSubscriptions(app, { user_id: userId })
}

export async function oneSubscription(app: App, id: number): Promise<SubscriptionView | undefined> {
  return (await readSubscriptions(app, { id }))[0]
}

async function readSubscriptions(
  { store }: App,
  wanted: { user_id: number } | { id: number },
): Promise<SubscriptionView[]> {
  const [column, value] = Object.entries(wanted)[0] as ['user_id' | 'id', number]
  const rows = await store.db
    .selectFrom('subscriptions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('subscription_periods as p', join =>
      join.onRef('p.subscription_id', '=', 's.id').onRef('p.no', '=', 's.period_no'),
    )
    .selectAll('s')
    .select(['u.used_quota', 'p.quota as period_quota', 'p.used_before'])
    .where(`s.${column}`, '=', value)
    .orderBy('s.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(row => {
    const running = row.state === subscriptionStates.running
    const period = { quota: row.period_quota, used_before: row.used_before }
    return {
      id: row.id,
      user_id: row.user_id,
      plan_id: row.plan_id,
      title: row.title,
      quota: row.quota,
      period: row.period,
      group: row.group,
      times: row.times,
      running,
      left: running ? restOf(period, row) : 0,
      starts_at: row.starts_at,
      renews_at: running && row.due_at < row.ends_at ? row.due_at : 0,
      ends_at: row.ends_at,
      ended_at: row.ended_at,
    }
  })
}
