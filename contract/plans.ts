import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { listOf, pageQuery } from './paging.ts'
import { MOST_QUOTA, quotaAmount, refillPeriods } from './tokens.ts'

export const durationUnits = ['day', 'month'] as const
export type DurationUnit = (typeof durationUnits)[number]
export const planPeriods = refillPeriods

const SMALL = 4 * 1024

/**
 * `price` is in quota, and `quota` what each `period` has (`none`: the whole duration). `most_each` is how often one
 * user may buy it, 0 for as often as they like. While it runs its owner spends at most `five_hour_quota` in five hours and
 * `week_quota` in seven days; 0 for no limit.
 */
const planView = z.object({
  id: z.int(),
  title: z.string(),
  note: z.string(),
  price: z.int(),
  duration: z.int(),
  duration_unit: z.enum(durationUnits),
  quota: z.int(),
  period: z.enum(planPeriods),
  five_hour_quota: z.int(),
  week_quota: z.int(),
  group: z.string(),
  most_each: z.int(),
  on_sale: z.boolean(),
  position: z.int(),
  created_at: z.int(),
})
export type PlanView = z.output<typeof planView>

/**
 * What it costs by the ways to pay that are on, as text; null where it cannot be paid so. `refusal` is why the caller
 * cannot have it now, whatever pays; null where they can.
 */
const offeredPlan = z.extend(planView, {
  refusal: z.nullable(z.string()),
  epay_money: z.nullable(z.string()),
  stripe_money: z.nullable(z.string()),
  stripe_currency: z.string(),
})
export type OfferedPlan = z.output<typeof offeredPlan>

/** With the terms it was sold with. `left` is what remains of the period that runs; `renews_at` is 0 for the last. */
const subscriptionView = z.object({
  id: z.int(),
  user_id: z.int(),
  plan_id: z.int(),
  title: z.string(),
  quota: z.int(),
  period: z.enum(planPeriods),
  group: z.string(),
  times: z.int(),
  running: z.boolean(),
  left: z.int(),
  starts_at: z.int(),
  renews_at: z.int(),
  ends_at: z.int(),
  ended_at: z.int(),
})
export type SubscriptionView = z.output<typeof subscriptionView>

const count = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))
const title = lineText(60).check(z.trim(), z.minLength(1))
const planFields = {
  note: z._default(lineText(200), ''),
  price: quotaAmount,
  duration: count(1, 3650),
  duration_unit: z.enum(durationUnits),
  quota: count(1, MOST_QUOTA),
  period: z.enum(planPeriods),
  five_hour_quota: z._default(quotaAmount, 0),
  week_quota: z._default(quotaAmount, 0),
  group: z._default(lineText(64), ''),
  most_each: z._default(count(0, 1_000_000), 0),
  on_sale: z._default(z.boolean(), true),
  position: z._default(count(-1_000_000, 1_000_000), 0),
}
const newPlan = z.object({ title, ...planFields })
export type PlanFields = z.output<typeof newPlan>
/** What is left out stays as it is. */
const planChange = z.object({
  title: z.optional(title),
  note: z.optional(lineText(200)),
  price: z.optional(quotaAmount),
  duration: z.optional(planFields.duration),
  duration_unit: z.optional(planFields.duration_unit),
  quota: z.optional(planFields.quota),
  period: z.optional(planFields.period),
  five_hour_quota: z.optional(quotaAmount),
  week_quota: z.optional(quotaAmount),
  group: z.optional(lineText(64)),
  most_each: z.optional(count(0, 1_000_000)),
  on_sale: z.optional(z.boolean()),
  position: z.optional(count(-1_000_000, 1_000_000)),
})

export const planEndpoints = {
  offeredPlans: endpoint({
    method: 'GET',
    path: '/api/subscription/plans',
    access: 'user',
    team: 'members',
    summary: { zh: '在售的套餐', en: 'The plans on sale' },
    output: z.array(offeredPlan),
  }),
  ownSubscriptions: endpoint({
    method: 'GET',
    path: '/api/subscription/self',
    access: 'user',
    team: 'members',
    summary: {
      zh: '自己的套餐，最近的在前；最多一个正在生效',
      en: 'Your plans, the latest first; at most one of them is running',
    },
    output: z.array(subscriptionView),
  }),
  buyPlan: endpoint({
    method: 'POST',
    path: '/api/subscription/balance/pay',
    access: 'user',
    team: 'owners',
    bodyLimit: SMALL,
    summary: {
      zh: '用余额购买套餐；正在生效的是同一套餐时，延长一个有效期。purchase 由客户端取名，同名的购买只付一次',
      en: 'Buy a plan with the balance; one more duration of it where the same plan is running. What has the same purchase, a name that the client chooses, is paid once however often it is sent',
    },
    body: z.object({
      plan_id: z.int(),
      purchase: z.optional(z.string().check(z.regex(/^[\w-]{8,36}$/))),
    }),
    output: subscriptionView,
  }),
  payPlanByEpay: endpoint({
    method: 'POST',
    path: '/api/subscription/epay/pay',
    access: 'user',
    team: 'owners',
    bodyLimit: SMALL,
    summary: {
      zh: '为套餐创建易支付订单，返回要提交给支付网关的表单；金额与充值同样多的额度相同',
      en: 'Order a plan by Epay; answers the form to be sent to the gateway. It costs what as much quota would',
    },
    body: z.object({ plan_id: z.int(), payment_method: z._default(z.string().check(z.maxLength(50)), '') }),
    output: z.object({ form: z.record(z.string(), z.string()), url: z.string() }),
  }),
  payPlanByStripe: endpoint({
    method: 'POST',
    path: '/api/subscription/stripe/pay',
    access: 'user',
    team: 'owners',
    bodyLimit: SMALL,
    summary: {
      zh: '为套餐创建银行卡订单，返回支付页面的地址',
      en: 'Order a plan by card; answers the address of the payment page',
    },
    body: z.object({ plan_id: z.int() }),
    output: z.object({ pay_link: z.string() }),
  }),
  listPlans: endpoint({
    method: 'GET',
    path: '/api/subscription/admin/plans',
    access: 'admin',
    summary: { zh: '所有套餐', en: 'All plans' },
    query: z.object(pageQuery),
    output: listOf(planView),
  }),
  getPlan: endpoint({
    method: 'GET',
    path: '/api/subscription/admin/plans/:id',
    access: 'admin',
    summary: { zh: '一个套餐', en: 'One plan' },
    output: planView,
  }),
  createPlan: endpoint({
    method: 'POST',
    path: '/api/subscription/admin/plans',
    access: 'admin',
    bodyLimit: SMALL,
    summary: {
      zh: '添加套餐：price 为价格、quota 为每个 period 的额度，都以额度计',
      en: 'Add a plan: its price, and the quota of each period, are both in quota',
    },
    body: newPlan,
    output: planView,
  }),
  updatePlan: endpoint({
    method: 'PUT',
    path: '/api/subscription/admin/plans/:id',
    access: 'admin',
    bodyLimit: SMALL,
    summary: {
      zh: '修改套餐，或用 on_sale 上架、下架；已售出的不受影响',
      en: 'Change a plan, or put it on and off sale by on_sale; what was sold stays as it was',
    },
    body: planChange,
    output: planView,
  }),
  deletePlan: endpoint({
    method: 'DELETE',
    path: '/api/subscription/admin/plans/:id',
    access: 'admin',
    summary: { zh: '删除无人购买过的套餐', en: 'Delete a plan that nobody has bought' },
  }),
  bindPlan: endpoint({
    method: 'POST',
    path: '/api/subscription/admin/bind',
    access: 'admin',
    once: true,
    bodyLimit: SMALL,
    summary: {
      zh: '免费给用户一个套餐，未在售的也可以',
      en: 'Give a user a plan for nothing, also one that is not on sale',
    },
    body: z.object({ user_id: z.int(), plan_id: z.int() }),
    output: subscriptionView,
  }),
  userSubscriptions: endpoint({
    method: 'GET',
    path: '/api/subscription/admin/users/:id/subscriptions',
    access: 'admin',
    summary: { zh: '一个用户的套餐，最近的在前', en: 'A user’s plans, the latest first' },
    output: z.array(subscriptionView),
  }),
  endSubscription: endpoint({
    method: 'POST',
    path: '/api/subscription/admin/user_subscriptions/:id/invalidate',
    access: 'admin',
    summary: {
      zh: '立即结束用户的套餐，收回本期剩余的额度',
      en: 'End a user’s plan now; what is left of its period is taken back',
    },
    output: subscriptionView,
  }),
}
