import { topUpStatuses } from '../../../../contract/wallet.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'
import type { Caller } from '../../call.ts'
import { homeOf, type NewOrder, noteOrder, priceTopUp } from '../top-up.ts'
import { closeOrder } from './close-order.ts'
import { createSession } from './create-session.ts'
import { stripeTerms } from './terms.ts'

interface Asked {
  readonly amount: number
  readonly method: string
}

export function orderByStripe(app: App, caller: Caller, { amount, method }: Asked): Promise<string> {
  const { currency, ...terms } = stripeTerms(app)
  if (method !== 'stripe') throw new AppError('payment.method')
  const priced = priceTopUp(app, terms, caller.group, amount)
  return openPage(app, caller, { ...priced, amount, currency, name: amountText(app, amount) })
}

interface Wanted extends Omit<NewOrder, 'payment_method'> {
  /** What is bought, as its page calls it. */
  readonly name: string
}

/** Notes an order, and gives the page where it is paid. What Stripe knows of is written down here before. */
export async function openPage(app: App, caller: Caller, { name, ...order }: Wanted): Promise<string> {
  const tradeNo = await noteOrder(app, caller, { ...order, payment_method: 'stripe' })
  const home = homeOf(app.settings)
  try {
    return await createSession(app, tradeNo, {
      mode: 'payment',
      client_reference_id: tradeNo,
      // A customer can write a reference onto other pages of the same account, and this they cannot.
      'metadata[order]': tradeNo,
      'payment_intent_data[metadata][order]': tradeNo,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': order.currency,
      'line_items[0][price_data][unit_amount]': String(order.money),
      'line_items[0][price_data][product_data][name]': `${app.settings.get('SystemName') || 'Tollgate'}: ${name}`,
      // What is paid is compared with the order, so it is paid in the order's currency.
      'adaptive_pricing[enabled]': 'false',
      success_url: `${home}/topup`,
      cancel_url: `${home}/topup`,
    })
  } catch (error) {
    // Nobody has its address, if there is such a page. Should it be paid all the same, it is credited.
    await closeOrder(app, tradeNo, topUpStatuses.failed)
    throw error
  }
}

function amountText({ settings }: App, amount: number): string {
  return settings.get('DisplayInCurrencyEnabled') ? `$${amount}` : String(amount)
}
