import { AppError } from '../errors.ts'
import { redeem } from '../ledger/redeem.ts'
import { transferEarnings } from '../ledger/wallet-moves.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { quotaText } from './quota-text.ts'

const TOP_UP = 1

export function walletHandlers(app: App): Handlers<'redeem' | 'transferEarnings'> {
  return {
    redeem({ body, caller }) {
      if (body.key === '') throw new AppError('redeem.blank')
      return redeem(app.store, app.now(), { key: body.key, userId: caller.id }, ({ id, quota }) => ({
        type: TOP_UP,
        content: `通过兑换码充值 ${quotaText(app, quota)}，兑换码ID ${id}`,
      }))
    },
    async transferEarnings({ body, caller, language }) {
      const least = app.settings.get('QuotaPerUnit')
      if (body.quota < least) throw new AppError('earnings.too-little', { least: quotaText(app, least) })
      await transferEarnings(app.store, app.now(), { userId: caller.id, amount: body.quota })
      return { success: true, message: language === 'zh' ? '划转成功' : 'Transferred' }
    },
  }
}
