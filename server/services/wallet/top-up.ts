import { MOST_QUOTA } from '../../../contract/tokens.ts'
import { topUpStatuses } from '../../../contract/wallet.ts'
import { AppError } from '../../errors.ts'
import { type Tariff, topUpMoney } from '../../ledger/price/top-up-money.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { randomText } from '../random-text.ts'
import { moneyText, signEpay } from './epay.ts'

/** Until the operator has said how to pay, there is nothing here. */
export function requirePayment(settings: Settings): void {
  if (!isEpayOn(settings)) throw new AppError('top-up.off')
}

export function isEpayOn(settings: Settings): boolean {
  const { PayAddress, EpayId, EpayKey } = settings.all
  return PayAddress !== '' && EpayId !== '' && EpayKey !== ''
}

/** What a way to pay costs, and how many dollars it is for at least. */
export interface Terms {
  readonly tariff: Tariff
  readonly least: number
}

interface Priced {
  /** In the currency's smallest unit. */
  readonly money: number
  readonly quota: number
}

export function epayTerms({ settings }: App): Terms {
  const { Price, MinTopUp } = settings.all
  return { tariff: { price: Price, minorUnits: 100, step: 1 }, least: MinTopUp }
}

/** What an amount costs and credits: dollars, or quota where that is what people see. */
export function priceTopUp({ settings }: App, terms: Terms, group: string, amount: number): Priced {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = settings.all
  const unit = DisplayInCurrencyEnabled ? QuotaPerUnit : 1
  const least = DisplayInCurrencyEnabled ? terms.least : terms.least * QuotaPerUnit
  if (amount < 0) throw new AppError('payment.amount')
  if (amount < least) throw new AppError('payment.too-few', { least })
  if (amount > MOST_QUOTA / unit) throw new AppError('payment.too-many')
  const money = topUpMoney(amount, terms.tariff, settings.all, group)
  if (money < 1) throw new AppError('payment.too-cheap')
  return { money, quota: amount * unit }
}

export interface NewOrder extends Priced {
  /** As it was asked for. */
  readonly amount: number
  readonly currency: string
  readonly payment_method: string
  /** The plan that it is for, as it is kept with the order. */
  readonly plan?: string | undefined
}

/** Writes an order down, and gives its number. */
export async function noteOrder(app: App, caller: Caller, order: NewOrder): Promise<string> {
  const now = app.now()
  const trade_no = `USR${caller.id}NO${randomText(6)}${now}`
  const { amount, quota, money, currency, payment_method, plan = null } = order
  await app.store.db
    .insertInto('top_ups')
    .values({
      user_id: caller.id,
      amount,
      quota,
      money,
      currency,
      trade_no,
      payment_method,
      plan,
      status: topUpStatuses.pending,
      create_time: now,
      complete_time: 0,
    })
    .execute()
  return trade_no
}

export function homeOf(settings: Settings): string {
  return settings.get('ServerAddress') || 'http://localhost:3000'
}

interface Asked {
  readonly amount: number
  /** `zfb` or `wx`. */
  readonly method: string
}

export function orderTopUp(app: App, caller: Caller, { amount, method }: Asked) {
  const priced = priceTopUp(app, epayTerms(app), caller.group, amount)
  return orderByEpay(app, caller, { ...priced, amount, method, name: `TUC${amount}` })
}

interface Wanted extends Omit<NewOrder, 'currency' | 'payment_method'> {
  readonly method: string
  /** How the gateway calls what is bought. */
  readonly name: string
}

/** Notes an order, and gives the form with which the customer's browser goes to the gateway. */
export async function orderByEpay(app: App, caller: Caller, { method, name, ...order }: Wanted) {
  const { PayAddress, EpayId, EpayKey, CustomCallbackAddress } = app.settings.all
  const payment_method = method === 'zfb' || method === 'alipay' ? 'alipay' : 'wxpay'
  const trade_no = await noteOrder(app, caller, { ...order, currency: '', payment_method })
  const home = homeOf(app.settings)
  const fields: Record<string, string> = {
    pid: EpayId,
    type: payment_method,
    out_trade_no: trade_no,
    notify_url: `${CustomCallbackAddress || home}/api/user/epay/notify`,
    return_url: `${home}/log`,
    name,
    money: moneyText(order.money),
    device: 'pc',
    sign_type: 'MD5',
  }
  const sign = signEpay(Object.entries(fields), EpayKey)
  return { data: { ...fields, sign }, url: `${PayAddress}/submit.php` }
}
