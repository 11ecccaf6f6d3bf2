import type { SettingValues } from '../../../contract/settings/index.ts'
import { countOf, fraction, multiply, roundHalfUp, safeAmount } from './decimal.ts'

type TopUpSettings = Pick<SettingValues, 'TopupGroupRatio' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

/** What a dollar costs, and how that currency counts. */
export interface Tariff {
  readonly price: number
  /** How many of its smallest unit make one: 100 cents, 1 yen. */
  readonly minorUnits: number
  /** Sums are multiples of this, in the smallest unit. */
  readonly step: number
}

/**
 * What a top-up costs, in the currency's smallest unit. The amount is in dollars, or in quota where quota is not shown as currency.
 * A group without a ratio, or with ratio 0, pays the plain price.
 */
export function topUpMoney(
  amount: number,
  { price, minorUnits, step }: Tariff,
  settings: TopUpSettings,
  group: string,
): number {
  const { TopupGroupRatio, DisplayInCurrencyEnabled, QuotaPerUnit } = settings
  const ratio = Object.hasOwn(TopupGroupRatio, group) ? TopupGroupRatio[group] : undefined
  const sum = multiply(countOf('amount', amount), price, ratio || 1, minorUnits)
  const perDollar = DisplayInCurrencyEnabled ? 1n : fraction(QuotaPerUnit).over
  const by = BigInt(step)
  return safeAmount(roundHalfUp(sum.over, sum.under * perDollar * by) * by)
}
