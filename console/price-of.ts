import type { PricedModel } from '../contract/pricing.ts'

/** Dollars: for a million tokens, or for one call. What is undefined costs what other input does, or other output. */
export interface Price {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly cacheWriteHour: number | undefined
  readonly image: number | undefined
  readonly audio: number | undefined
  readonly audioOutput: number | undefined
  readonly call: number | undefined
}

export const isPerCall = (model: PricedModel): boolean => model.quota_type === 1

/** A ratio of 1 is two dollars for a million tokens. */
const DOLLARS_PER_RATIO = 2

export function priceOf(model: PricedModel, groupRatio: number): Price {
  const prompt = model.model_ratio * DOLLARS_PER_RATIO * groupRatio
  const beside = (ratio: number) => (ratio === 1 ? undefined : prompt * ratio)
  // What is cached for an hour has a price wherever there is a cache to pay for.
  const hasCache = model.cache_ratio !== 1 || model.create_cache_ratio !== 1
  const spoken = model.audio_ratio * model.audio_completion_ratio
  return {
    prompt,
    completion: prompt * model.completion_ratio,
    cacheRead: beside(model.cache_ratio),
    cacheWrite: beside(model.create_cache_ratio),
    cacheWriteHour: hasCache ? beside(model.create_cache_1h_ratio) : undefined,
    image: beside(model.image_ratio),
    audio: beside(model.audio_ratio),
    audioOutput: isNear(spoken, model.completion_ratio) ? undefined : prompt * spoken,
    call: isPerCall(model) ? model.model_price * groupRatio : undefined,
  }
}

/** Quotients of two prices come as binary fractions. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(one, other)
}

/** The model as it is priced for this much input: as usual, or as long input is. */
export function modelFor(model: PricedModel, input: number): PricedModel {
  const { long_input: long } = model
  return long && input > long.over ? { ...model, ...long } : model
}

/** What long input makes of the price, and the tokens that it has to exceed; undefined where it makes nothing of it. */
export function longPriceOf(
  model: PricedModel,
  groupRatio: number,
): (Price & { readonly over: number }) | undefined {
  const { long_input: long } = model
  return long && { ...priceOf({ ...model, ...long }, groupRatio), over: long.over }
}

/**
 * The cheapest first, or the dearest. By tokens before by calls either way: a call and a million tokens cannot be
 * compared. The group's ratio is the same for both.
 */
export function comparePrices(
  one: PricedModel,
  other: PricedModel,
  by: 'prompt' | 'completion',
  dearest = false,
): number {
  const [left, right] = [priceOf(one, 1), priceOf(other, 1)]
  const sign = dearest ? -1 : 1
  if (left.call !== undefined && right.call !== undefined) return (left.call - right.call) * sign
  if (left.call !== undefined || right.call !== undefined) return left.call === undefined ? -1 : 1
  return (left[by] - right[by]) * sign
}

// Made once: every row of a log has a price in it.
const usual = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const small = new Intl.NumberFormat('en-US', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 6, maximumSignificantDigits: 2 },
  // The smallest price is not shown as none.
  roundingPriority: 'morePrecision',
})

/** As many digits as a price needs, and at least two. */
export function formatPrice(dollars: number): string {
  return `$${(dollars !== 0 && Math.abs(dollars) < 0.01 ? small : usual).format(dollars)}`
}
