import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Plans } from '../../store/plan-schema.ts'
import { type Subscription, subscriptionStates } from './wallet.ts'

/** A plan as it was when someone decided for it. */
export type Terms = Pick<Selectable<Plans>, 'id' | 'title' | 'most_each' | (typeof sameTerms)[number]>

/** What must be as it was sold for one more duration of it. */
const sameTerms = [
  ...(['duration', 'duration_unit', 'quota', 'period', 'group'] as const),
  ...(['five_hour_quota', 'week_quota'] as const),
] as const

/**
 * Refuses what someone cannot have after all that was sold to them. Answers the one that runs, which is made to last
 * longer; undefined where the plan begins.
 */
export function checkSale(plan: Terms, sold: readonly Subscription[], now: number): Subscription | undefined {
  const times = sold.reduce((sum, one) => (one.plan_id === plan.id ? sum + one.times : sum), 0)
  if (plan.most_each > 0 && times >= plan.most_each) throw new AppError('plan.most', { most: plan.most_each })
  // One that is over by the clock keeps nobody from the next, also before anybody has ended it.
  const running = sold.find(({ state, ends_at }) => state === subscriptionStates.running && ends_at > now)
  if (running) checkExtends(running, plan)
  return running
}

function checkExtends(running: Subscription, plan: Terms): void {
  if (running.plan_id !== plan.id) throw new AppError('plan.other-runs', { title: running.title })
  const isSame = sameTerms.every(name => running[name] === plan[name])
  if (!isSame) throw new AppError('plan.changed')
}
