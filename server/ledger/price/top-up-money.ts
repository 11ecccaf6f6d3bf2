import type { SettingValues } from '../../../contract/settings/index.ts'
import { countOf, fraction, multiply, roundHalfUp, safeAmount } from './decimal.ts'

type TopUpSettings = Pick<
  SettingValues,
  'Price' | 'TopupGroupRatio' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'
>

/**
 * What a top-up costs, in cents. The amount is in dollars, or in quota where quota is not shown as currency.
 * A group without a ratio, or with ratio 0, pays the plain price.
 */
export function topUpMoney(amount: number, settings: TopUpSettings, group: string): number {
  const { Price, TopupGroupRatio, DisplayInCurrencyEnabled, QuotaPerUnit } = settings
  const ratio = Object.hasOwn(TopupGroupRatio, group) ? TopupGroupRatio[group] : undefined
  const cents = multiply(countOf('amount', amount), Price, ratio || 1, 100)
  const perDollar = DisplayInCurrencyEnabled ? 1n : fraction(QuotaPerUnit).over
  return safeAmount(roundHalfUp(cents.over, cents.under * perDollar))
}
