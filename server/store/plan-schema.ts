import type { Generated } from 'kysely'
import type { DurationUnit } from '../../contract/plans.ts'
import type { RefillPeriod } from '../../contract/tokens.ts'
import type { Flag, Quota, Seconds } from './column-types.ts'

/** What a plan gives, and for how long. */
interface PlanTerms {
  title: string
  duration: number
  duration_unit: DurationUnit
  /** What may be spent in each period. */
  quota: Quota
  /** `none` where the whole duration is one. */
  period: RefillPeriod
  /** What its owner may spend in five hours and in seven days, of whatever money, while it runs; 0 for no limit. */
  five_hour_quota: Generated<Quota>
  week_quota: Generated<Quota>
  /** Which its owner has while it runs; blank for no other than before. */
  group: string
}

/** What is offered. */
export interface Plans extends PlanTerms {
  id: Generated<number>
  note: string
  /** In quota, as everything is. */
  price: Quota
  /** How often one user may buy it; 0 for as often as they like. */
  most_each: number
  on_sale: Flag
  position: number
  created_at: Seconds
}

/** What was sold, with the terms of that day. A user has at most one that runs. */
export interface Subscriptions extends PlanTerms {
  id: Generated<number>
  user_id: number
  plan_id: number
  /** The user's, before the plan's took its place. */
  former_group: string
  /** How often it was bought: each time it lasts for one more duration. */
  times: number
  state: 'running' | 'ended'
  /** Of the period that runs, or was the last. */
  period_no: number
  starts_at: Seconds
  ends_at: Seconds
  /** When it really ended; 0 while it runs. */
  ended_at: Generated<Seconds>
  /** When something is to be done about it; 0 for never again. */
  due_at: Seconds
  /** What is still to be taken back: calls that were under way at the end had it set aside. */
  owed: Generated<Quota>
}

/** One period of what was sold. */
export interface SubscriptionPeriods {
  subscription_id: number
  no: number
  user_id: number
  began_at: Seconds
  /** 0 while it runs. */
  ended_at: Generated<Seconds>
  /** What was put into the wallet for it. */
  quota: Quota
  /** What the user had used by its beginning, less what was refunded since of that. */
  used_before: Quota
  /** What was used within it, known once it has ended. */
  spent: Generated<Quota>
  /** What was taken back of it. */
  returned: Generated<Quota>
}

/** A call that was under way when a plan ended, and had some of its quota set aside. */
export interface SubscriptionHolds {
  hold_id: string
  subscription_id: number
  /** 1 until it is known what the call cost. */
  waiting: Flag
  /** How much of its charge the plan has paid. */
  covered: Generated<Quota>
}
