import { logTypes } from '../../../contract/log-types.ts'
import type { walletEndpoints } from '../../../contract/wallet.ts'
import { AppError } from '../../errors.ts'
import { redeem } from '../../ledger/redeem.ts'
import { transferEarnings } from '../../ledger/wallet-moves.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { GrowingTotals } from '../growing-totals.ts'
import { moneyText } from './epay.ts'
import { orRefusal } from './or-refusal.ts'
import { quotaText } from './quota-text.ts'
import { epayTerms, orderTopUp, priceTopUp, requirePayment } from './top-up.ts'
import { topUpInfo } from './top-up-info.ts'
import { takeNotice } from './top-up-notice.ts'
import { listTopUps } from './top-up-orders.ts'

export function walletHandlers(app: App): Handlers<keyof typeof walletEndpoints> {
  const totals = new GrowingTotals(app.store.db)
  const answerNotice = async ({ body }: { body: [string, string][] }): Promise<Response> =>
    new Response(await takeNotice(app, body), { headers: { 'content-type': 'text/plain; charset=utf-8' } })

  return {
    redeem({ body, caller }) {
      if (body.key === '') throw new AppError('redeem.blank')
      return redeem(app.store, app.now(), { key: body.key, userId: caller.id }, ({ id, quota }) => ({
        type: logTypes.topUp,
        content: `通过兑换码充值 ${quotaText(app, quota)}，兑换码ID ${id}`,
      }))
    },
    async transferEarnings({ body, caller, language }) {
      const least = app.settings.get('QuotaPerUnit')
      if (body.quota < least)
        throw new AppError('earnings.too-little', { least: quotaText(app, least, language) })
      await transferEarnings(app.store, app.now(), { userId: caller.id, amount: body.quota })
      return { success: true, message: language === 'zh' ? '划转成功' : 'Transferred' }
    },
    topUpInfo: ({ language }) => topUpInfo(app, language),
    topUpPrice({ body, caller, language }) {
      requirePayment(app.settings)
      return orRefusal(language, async () => {
        const { money } = priceTopUp(app, epayTerms(app), caller.group, body.amount)
        return { message: 'success', data: moneyText(money) }
      })
    },
    payTopUp({ body, caller, language }) {
      requirePayment(app.settings)
      return orRefusal(language, async () => {
        const order = { amount: body.amount, method: body.payment_method }
        return { message: 'success', ...(await orderTopUp(app, caller, order)) }
      })
    },
    ownTopUps: ({ query, caller }) => listTopUps(app, totals, { ...query, userId: caller.id }),
    allTopUps: ({ query }) => listTopUps(app, totals, query),
    paymentNotice: answerNotice,
    paymentNoticeForm: answerNotice,
  }
}
