import type { Endpoints } from '../../../../contract/index.ts'
import type { OfferedPlan } from '../../../../contract/plans.ts'
import { AppError } from '../../../errors.ts'
import { topUpMoney } from '../../../ledger/price/top-up-money.ts'
import { checkSale } from '../../../ledger/subscription/check-sale.ts'
import type { App } from '../../app.ts'
import type { Caller, CallOf } from '../../call.ts'
import { moneyText } from '../epay.ts'
import { plainSum } from '../stripe/currency.ts'
import { openPage } from '../stripe/order.ts'
import { isStripeOn, stripeTerms } from '../stripe/terms.ts'
import { epayTerms, isEpayOn, orderByEpay, requirePayment, type Terms } from '../top-up.ts'
import { writeTerms } from './grant-plan.ts'
import { checkOnSale, type Plan } from './plan-changes.ts'

type Prices = Pick<OfferedPlan, 'epay_money' | 'stripe_money' | 'stripe_currency'>

/** Costs what as much quota would cost as a top-up. */
function moneyFor({ settings }: App, terms: Terms, caller: Caller, price: number): number {
  const inQuota = { ...settings.all, DisplayInCurrencyEnabled: false }
  return topUpMoney(price, terms.tariff, inQuota, caller.group)
}

/** What plans cost by each way to pay that is on. */
export function planPrices(app: App, caller: Caller): (plan: Plan) => Prices {
  const epay = isEpayOn(app.settings) ? epayTerms(app) : undefined
  const stripe = isStripeOn(app.settings.all) ? stripeTerms(app) : undefined
  const stripe_currency = stripe?.currency ?? ''
  return ({ price }) => {
    const byEpay = epay ? moneyFor(app, epay, caller, price) : 0
    const byStripe = stripe ? moneyFor(app, stripe, caller, price) : 0
    return {
      epay_money: byEpay > 0 ? moneyText(byEpay) : null,
      stripe_money: byStripe > 0 ? plainSum(byStripe, stripe_currency) : null,
      stripe_currency,
    }
  }
}

/** Where it could not begin, nobody is sent to pay for it. */
async function offered(app: App, caller: Caller, id: number): Promise<Plan> {
  const { db } = app.store
  const plan = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()
  if (!plan) throw new AppError('row.not-found')
  const refusal = (await refusals(app, caller))(plan)
  if (refusal) throw refusal
  return plan
}

/** Why somebody cannot have a plan after all that was sold to them; undefined where they can. */
export async function refusals(app: App, caller: Caller): Promise<(plan: Plan) => AppError | undefined> {
  const { db } = app.store
  const sold = await db.selectFrom('subscriptions').selectAll().where('user_id', '=', caller.id).execute()
  return plan => {
    try {
      checkOnSale(app, plan)
      checkSale(plan, sold, app.now())
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
}

async function orderOf(app: App, caller: Caller, terms: Terms, id: number) {
  const plan = await offered(app, caller, id)
  const money = moneyFor(app, terms, caller, plan.price)
  if (money < 1) throw new AppError('payment.too-cheap')
  // Should the plan not be possible any more when it is paid, its price is credited.
  return { money, quota: plan.price, amount: 0, plan: writeTerms(plan), name: plan.title }
}

export async function payPlanByEpay(app: App, { body, caller }: CallOf<Endpoints['payPlanByEpay']>) {
  requirePayment(app.settings)
  const order = await orderOf(app, caller, epayTerms(app), body.plan_id)
  const { data, url } = await orderByEpay(app, caller, { ...order, method: body.payment_method })
  return { form: data, url }
}

export async function payPlanByStripe(app: App, { body, caller }: CallOf<Endpoints['payPlanByStripe']>) {
  const { currency, ...terms } = stripeTerms(app)
  const order = await orderOf(app, caller, terms, body.plan_id)
  return { pay_link: await openPage(app, caller, { ...order, currency }) }
}
