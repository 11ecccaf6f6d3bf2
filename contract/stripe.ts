import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { topUpAmount } from './wallet.ts'

/** Top-up by card. The answers have the form of those of the other way to pay, errors too. */
export const stripeEndpoints = {
  stripePrice: endpoint({
    method: 'POST',
    path: '/api/user/stripe/amount',
    access: 'user',
    team: 'members',
    shape: 'bare',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '银行卡充值的价格与币种；未配置 Stripe 时为 404',
      en: 'What a top-up by card costs, and in which currency; 404 while Stripe is not set up',
    },
    body: z.object({ amount: topUpAmount }),
    output: z.object({
      message: z.enum(['success', 'error']),
      data: z.string(),
      currency: z.optional(z.string()),
    }),
  }),
  payByStripe: endpoint({
    method: 'POST',
    path: '/api/user/stripe/pay',
    access: 'user',
    team: 'members',
    shape: 'bare',
    bodyLimit: 8 * 1024,
    summary: {
      zh: '创建银行卡充值订单，返回 Stripe 支付页面的地址；付款后总是回到本站',
      en: 'Order a top-up by card; answers the address of Stripe’s payment page, which always leads back here',
    },
    body: z.object({
      amount: topUpAmount,
      payment_method: z._default(z.string().check(z.maxLength(50)), 'stripe'),
    }),
    output: z.object({
      message: z.enum(['success', 'error']),
      data: z.union([z.string(), z.object({ pay_link: z.string() })]),
    }),
  }),
  stripeWebhook: endpoint({
    method: 'POST',
    path: '/api/stripe/webhook',
    access: 'public',
    // One sender tells of everyone's orders; what is not signed costs a hash and no more.
    rate: 'none',
    signedBy: 'stripe-signature',
    bodyLimit: 256 * 1024,
    shape: 'bare',
    summary: {
      zh: 'Stripe 的事件通知；签名无效时为 400',
      en: 'Stripe’s events; 400 where the signature is wrong',
    },
    body: z.string(),
    output: z.object({ received: z.literal(true) }),
  }),
}
