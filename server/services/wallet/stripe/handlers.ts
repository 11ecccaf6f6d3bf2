import type { stripeEndpoints } from '../../../../contract/stripe.ts'
import type { App } from '../../app.ts'
import type { Handlers } from '../../call.ts'
import { orRefusal } from '../or-refusal.ts'
import { priceTopUp } from '../top-up.ts'
import { plainSum } from './currency.ts'
import { orderByStripe } from './order.ts'
import { takeEvent } from './take-event.ts'
import { stripeTerms } from './terms.ts'

export function stripeHandlers(app: App): Handlers<keyof typeof stripeEndpoints> {
  return {
    stripePrice({ body, caller, language }) {
      const { currency, ...terms } = stripeTerms(app)
      return orRefusal(language, async () => {
        const { money } = priceTopUp(app, terms, caller.group, body.amount)
        return { message: 'success', data: plainSum(money, currency), currency }
      })
    },
    payByStripe: ({ body, caller, language }) =>
      orRefusal(language, async () => {
        const order = { amount: body.amount, method: body.payment_method }
        return { message: 'success', data: { pay_link: await orderByStripe(app, caller, order) } }
      }),
    async stripeWebhook({ body, signature }) {
      await takeEvent(app, body, signature)
      return { received: true }
    },
  }
}
