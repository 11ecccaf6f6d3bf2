import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery, searchText } from './paging.ts'

/** Of those that were not paid, `expired` ran out of time and `failed` was refused, here or there. */
export const topUpStatuses = {
  pending: 'pending',
  success: 'success',
  expired: 'expired',
  failed: 'failed',
} as const

/**
 * An order; `money` is what it costs, `quota` what it credits. `currency` is that of a card payment, and blank
 * where the gateway has but one. `plan` is the title of the plan it is for, which is given in place of the quota.
 */
const topUpView = z.object({
  id: z.int(),
  user_id: z.int(),
  amount: z.int(),
  quota: z.int(),
  money: z.number(),
  currency: z.string(),
  trade_no: z.string(),
  payment_method: z.string(),
  status: z.string(),
  create_time: z.int(),
  complete_time: z.int(),
  plan: z.string(),
})
export type TopUpView = z.output<typeof topUpView>

/**
 * `min_topup` is in dollars; with each method as text, as tools expect it there. Any amount may be chosen, and none costs
 * less than its price: `amount_options` and `discount` say so by being empty.
 */
const topUpInfo = z.object({
  enable_online_topup: z.boolean(),
  enable_stripe_topup: z.boolean(),
  pay_methods: z.array(
    z.object({ name: z.string(), type: z.string(), color: z.string(), min_topup: z.string() }),
  ),
  min_topup: z.int(),
  stripe_min_topup: z.int(),
  amount_options: z.array(z.int()),
  discount: z.record(z.string(), z.number()),
})
export type TopUpInfo = z.output<typeof topUpInfo>

/** −1 stands for what is not a whole number: these calls answer in a form of their own, errors too. */
export const topUpAmount = z.catch(z.int(), -1)

/** The gateway's word that an order was paid: a form, which we take as it is and believe only when signed. */
const notification = z.array(z.tuple([z.string(), z.string()]))

export const walletEndpoints = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    team: 'members',
    bodyLimit: 4 * 1024,
    summary: { zh: '使用兑换码充值，返回增加的额度', en: 'Redeem a code; answers the quota added' },
    body: z.object({ key: z._default(z.string().check(z.trim(), z.maxLength(100)), '') }),
    output: z.int(),
  }),
  transferEarnings: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    shape: 'bare',
    bodyLimit: 4 * 1024,
    summary: { zh: '将邀请收益划转到余额', en: 'Move earnings from invitations into the balance' },
    body: z.object({ quota: z.int() }),
    output: z.object({ success: z.literal(true), message: z.string() }),
  }),
  topUpInfo: endpoint({
    method: 'GET',
    path: '/api/user/topup/info',
    access: 'user',
    team: 'members',
    summary: {
      zh: '可用的支付方式与最低充值额，供同类工具使用',
      en: 'The ways to pay that are on and the least that each is for, as tools of this family ask for them',
    },
    output: topUpInfo,
  }),
  topUpPrice: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    team: 'members',
    shape: 'bare',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '在线充值的价格；未配置支付时为 404',
      en: 'What an online top-up costs; 404 while no payment is set up',
    },
    body: z.object({ amount: topUpAmount }),
    output: z.object({ message: z.enum(['success', 'error']), data: z.string() }),
  }),
  payTopUp: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    team: 'members',
    shape: 'bare',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '创建充值订单，返回要提交给支付网关的表单',
      en: 'Order a top-up; answers the form to be sent to the payment gateway',
    },
    body: z.object({
      amount: topUpAmount,
      payment_method: z._default(z.string().check(z.maxLength(50)), ''),
    }),
    output: z.object({
      message: z.enum(['success', 'error']),
      data: z.union([z.string(), z.record(z.string(), z.string())]),
      url: z.optional(z.string()),
    }),
  }),
  ownTopUps: endpoint({
    method: 'GET',
    path: '/api/user/topup/self',
    access: 'user',
    team: 'owners',
    summary: { zh: '自己的充值订单', en: 'Your top-up orders' },
    query: z.object({ ...pageQuery, keyword: searchText }),
    output: pageOf(topUpView),
  }),
  allTopUps: endpoint({
    method: 'GET',
    path: '/api/user/topup',
    access: 'admin',
    summary: {
      zh: '所有充值订单，可按订单号搜索',
      en: 'All top-up orders, to be searched by order number',
    },
    query: z.object({ ...pageQuery, keyword: searchText }),
    output: pageOf(topUpView),
  }),
  paymentNotice: endpoint({
    method: 'GET',
    path: '/api/user/epay/notify',
    access: 'public',
    // One gateway tells of everyone's orders; what is not signed costs a hash and no more.
    rate: 'none',
    changes: true,
    form: true,
    bodyLimit: 0,
    shape: 'raw',
    summary: {
      zh: '支付网关的通知，回答 success 或 fail',
      en: 'The payment gateway’s notice; answers success or fail',
    },
    body: notification,
  }),
  paymentNoticeForm: endpoint({
    method: 'POST',
    path: '/api/user/epay/notify',
    access: 'public',
    rate: 'none',
    form: true,
    shape: 'raw',
    summary: { zh: '同上，以表单发送', en: 'The same, sent as a form' },
    body: notification,
  }),
}
