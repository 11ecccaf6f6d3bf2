import { queryOptions } from '@tanstack/react-query'
import { stripeEndpoints } from '../../../contract/stripe.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { walletEndpoints } from '../../../contract/wallet.ts'
import { call } from '../../api.ts'
import { postForm } from './post-form.ts'

interface Price {
  readonly money: string
  /** Blank for the gateway that has but one. */
  readonly currency: string
}

/** Whom the money goes to: what it costs there, and how the browser goes there. */
export interface Way {
  readonly id: string
  readonly methods: readonly Method[]
  isOn(status: StatusDocument): boolean
  least(status: StatusDocument): number
  price(amount: number, signal: AbortSignal): Promise<Price>
  /** Leaves for the payment page. */
  pay(amount: number, method: Method): Promise<void>
}

export type Method = 'zfb' | 'wx' | 'stripe'

const epay: Way = {
  id: 'epay',
  methods: ['zfb', 'wx'],
  isOn: status => status.enable_online_topup,
  least: status => status.min_topup,
  async price(amount, signal) {
    const { message, data } = await call(walletEndpoints.topUpPrice, { body: { amount }, signal })
    if (message !== 'success') throw new Error(data)
    return { money: data, currency: '' }
  },
  async pay(amount, payment_method) {
    const answer = await call(walletEndpoints.payTopUp, { body: { amount, payment_method } })
    if (answer.message !== 'success' || typeof answer.data === 'string' || !answer.url)
      throw new Error(String(answer.data))
    postForm(answer.url, answer.data)
  },
}

const stripe: Way = {
  id: 'stripe',
  methods: ['stripe'],
  isOn: status => status.enable_stripe_topup,
  least: status => status.stripe_min_topup,
  async price(amount, signal) {
    const answer = await call(stripeEndpoints.stripePrice, { body: { amount }, signal })
    if (answer.message !== 'success' || !answer.currency) throw new Error(answer.data)
    return { money: answer.data, currency: answer.currency }
  },
  async pay(amount, payment_method) {
    const { data } = await call(stripeEndpoints.payByStripe, { body: { amount, payment_method } })
    if (typeof data === 'string') throw new Error(data)
    window.location.assign(data.pay_link)
  },
}

/** Those that can be paid by, in the order they are offered. */
export function waysOf(status: StatusDocument | undefined): readonly Way[] {
  return status ? [epay, stripe].filter(way => way.isOn(status)) : []
}

/** What the amount costs. */
export function priceQuery(way: Way, amount: number) {
  return queryOptions({
    queryKey: ['top-up-price', way.id, amount],
    queryFn: ({ signal }) => way.price(amount, signal),
    retry: false,
  })
}
