import type { Language } from '../../../contract/language.ts'
import type { TopUpInfo } from '../../../contract/wallet.ts'
import type { App } from '../app.ts'
import { isStripeOn } from './stripe/terms.ts'
import { isEpayOn } from './top-up.ts'

/** The ways to pay as tools of this family ask for them: by the names that `pay` and `stripe/pay` are then called with. */
export function topUpInfo({ settings }: App, language: Language): TopUpInfo {
  const { MinTopUp, StripeMinTopUp } = settings.all
  const byEpay = isEpayOn(settings)
  const byCard = isStripeOn(settings.all)
  const isChinese = language === 'zh'
  const epay = { min_topup: String(MinTopUp) }
  const methods = [
    { ...epay, type: 'alipay', name: isChinese ? '支付宝' : 'Alipay', color: '#1677FF' },
    { ...epay, type: 'wxpay', name: isChinese ? '微信支付' : 'WeChat Pay', color: '#07C160' },
  ]
  const card = { type: 'stripe', name: 'Stripe', color: '#635BFF', min_topup: String(StripeMinTopUp) }
  return {
    enable_online_topup: byEpay,
    enable_stripe_topup: byCard,
    pay_methods: [...(byEpay ? methods : []), ...(byCard ? [card] : [])],
    min_topup: MinTopUp,
    stripe_min_topup: StripeMinTopUp,
    amount_options: [],
    discount: {},
  }
}
