import type { PricedModel } from '../../../../contract/pricing.ts'
import { formatPrice, priceOf } from '../../../price-of.ts'

/** What goes in and what comes out, for a million tokens; or one figure where a call has a price. */
export function showPrice(model: PricedModel | undefined, groupRatio: number): string {
  if (!model) return ''
  const { prompt, completion, call } = priceOf(model, groupRatio)
  return call === undefined ? `${formatPrice(prompt)} / ${formatPrice(completion)}` : formatPrice(call)
}
