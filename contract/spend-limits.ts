import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { quotaAmount } from './tokens.ts'

/** Within what while an amount may be spent. Five hours begin with a call; days, weeks and months are the calendar's. */
export const spendPeriods = ['five-hours', 'day', 'week', 'month', 'none'] as const
/** Plans have seven days too, which begin with a call: whoever buys on a Sunday has not two weeks of it. */
const allPeriods = [...spendPeriods, 'seven-days'] as const
export type SpendPeriod = (typeof allPeriods)[number]

const wantedLimit = z.object({ period: z.enum(spendPeriods), amount: quotaAmount })
export type WantedLimit = z.output<typeof wantedLimit>

/** All that there are to be: one for each period at most. What is not among them is taken away. */
export const spendLimitList = z.array(wantedLimit).check(
  z.maxLength(spendPeriods.length),
  z.refine(limits => new Set(limits.map(({ period }) => period)).size === limits.length),
)

/** `spent` has in it what calls under way have set aside; `ends_at` is 0 where no while has begun, or it never ends. */
export const spendLimitView = z.object({
  period: z.enum(allPeriods),
  amount: z.int(),
  spent: z.int(),
  ends_at: z.int(),
})
export type SpendLimitView = z.output<typeof spendLimitView>
export type SpendLimit = Pick<SpendLimitView, 'period' | 'amount'>

const ownSpendLimits = z.object({
  /** Of the account, set by administrators. */
  account: z.array(spendLimitView),
  /** Of the plan that runs. */
  plan: z.array(spendLimitView),
  /** Of whoever acts for a team, set by its owners. */
  member: z.array(spendLimitView),
})
export type OwnSpendLimits = z.output<typeof ownSpendLimits>

export const spendLimitEndpoints = {
  ownSpendLimits: endpoint({
    method: 'GET',
    path: '/api/user/spend_limits',
    access: 'user',
    team: 'members',
    summary: {
      zh: '自己的消费上限及已用额度；以团队身份调用时还含自己在团队中的可用额度',
      en: 'What you may spend within a while, and what of it is spent; for a team also what you may spend of it',
    },
    output: ownSpendLimits,
  }),
  userSpendLimits: endpoint({
    method: 'GET',
    path: '/api/user/:id/spend_limits',
    access: 'admin',
    summary: { zh: '某用户或团队的消费上限', en: 'What a user or team may spend within a while' },
    output: z.array(spendLimitView),
  }),
  limitUser: endpoint({
    method: 'PUT',
    path: '/api/user/:id/spend_limits',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '设置某用户或团队在每 5 小时、每天、每周、每月内或总共的消费上限；未列出的取消',
      en: 'Set what a user or team may spend in five hours, a day, a week, a month or in all; what is not listed is unlimited',
    },
    body: z.object({ limits: spendLimitList }),
  }),
}
