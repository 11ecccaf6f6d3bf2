import type { SettingValues } from '../../../../contract/settings/index.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'
import type { Terms } from '../top-up.ts'
import { minorUnitsOf, stepOf } from './currency.ts'

/** Nothing has a default that would sell for the wrong price: the operator says all of it. */
export function isStripeOn(settings: SettingValues): boolean {
  const { StripeApiSecret, StripeWebhookSecret, StripeCurrency, StripeUnitPrice } = settings
  return StripeApiSecret !== '' && StripeWebhookSecret !== '' && StripeCurrency !== '' && StripeUnitPrice > 0
}

/** What a top-up by card costs. Until the operator has said, there is nothing here. */
export function stripeTerms({ settings }: App): Terms & { readonly currency: string } {
  if (!isStripeOn(settings.all)) throw new AppError('top-up.off')
  const { StripeCurrency, StripeUnitPrice, StripeMinTopUp } = settings.all
  const currency = StripeCurrency.toLowerCase()
  const tariff = { price: StripeUnitPrice, minorUnits: minorUnitsOf(currency), step: stepOf(currency) }
  return { tariff, least: StripeMinTopUp, currency }
}
