import { MOST_QUOTA } from '../../../contract/tokens.ts'
import { topUpStatuses } from '../../../contract/wallet.ts'
import { AppError } from '../../errors.ts'
import { topUpMoney } from '../../ledger/price/top-up-money.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { randomText } from '../random-text.ts'
import { moneyText, signEpay } from './epay.ts'

/** Until the operator has said how to pay, there is nothing here. */
export function requirePayment(settings: Settings): void {
  const { PayAddress, EpayId, EpayKey } = settings.all
  if (PayAddress === '' || EpayId === '' || EpayKey === '') throw new AppError('request.not-found')
}

interface Priced {
  /** Cents. */
  readonly money: number
  readonly quota: number
}

/** What an amount costs and credits: dollars, or quota where that is what people see. */
export function priceTopUp({ settings }: App, group: string, amount: number): Priced {
  const { DisplayInCurrencyEnabled, QuotaPerUnit, MinTopUp } = settings.all
  const unit = DisplayInCurrencyEnabled ? QuotaPerUnit : 1
  const least = DisplayInCurrencyEnabled ? MinTopUp : MinTopUp * QuotaPerUnit
  if (amount < 0) throw new AppError('payment.amount')
  if (amount < least) throw new AppError('payment.too-few', { least })
  if (amount > MOST_QUOTA / unit) throw new AppError('payment.too-many')
  const money = topUpMoney(amount, settings.all, group)
  if (money < 1) throw new AppError('payment.too-cheap')
  return { money, quota: amount * unit }
}

interface Order {
  readonly amount: number
  /** `zfb` or `wx`. */
  readonly method: string
}

/** Notes an order, and gives the form with which the customer's browser goes to the gateway. */
export async function orderTopUp(app: App, caller: Caller, { amount, method }: Order) {
  const { money, quota } = priceTopUp(app, caller.group, amount)
  const { PayAddress, EpayId, EpayKey, ServerAddress, CustomCallbackAddress } = app.settings.all
  const now = app.now()
  const trade_no = `USR${caller.id}NO${randomText(6)}${now}`
  const payment_method = method === 'zfb' || method === 'alipay' ? 'alipay' : 'wxpay'
  await app.store.db
    .insertInto('top_ups')
    .values({
      user_id: caller.id,
      amount,
      quota,
      money,
      trade_no,
      payment_method,
      status: topUpStatuses.pending,
      create_time: now,
      complete_time: 0,
    })
    .execute()
  const home = ServerAddress || 'http://localhost:3000'
  const fields: Record<string, string> = {
    pid: EpayId,
    type: payment_method,
    out_trade_no: trade_no,
    notify_url: `${CustomCallbackAddress || home}/api/user/epay/notify`,
    return_url: `${home}/log`,
    name: `TUC${amount}`,
    money: moneyText(money),
    device: 'pc',
    sign_type: 'MD5',
  }
  const sign = signEpay(Object.entries(fields), EpayKey)
  return { data: { ...fields, sign }, url: `${PayAddress}/submit.php` }
}
