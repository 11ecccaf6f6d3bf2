import { cost } from './cost.ts'
import { countOf, toNumber } from './decimal.ts'
import { type PriceSnapshot, priceInForce, type Usage } from './price-snapshot.ts'

/** How a charge came about, in the words of a log row's `other`; what was not used is left out. */
export interface PriceDetails {
  readonly model_ratio: number
  /** Dollars per call; -1 when the charge is by ratio. */
  readonly model_price: number
  readonly completion_ratio: number
  readonly group_ratio: number
  /** The same, where it is one for users of the caller's group. */
  readonly user_group_ratio?: number
  /** What part of it was asked, because the answer had been made before. */
  readonly answer_cache_ratio?: number
  /** What part of it was asked, because it came in a batch. */
  readonly batch_ratio?: number
  readonly calls?: number
  readonly cache_tokens?: number
  readonly cache_ratio?: number
  readonly cache_creation_tokens?: number
  readonly cache_creation_ratio?: number
  readonly cache_creation_tokens_1h?: number
  readonly cache_creation_ratio_1h?: number
  readonly image?: true
  readonly image_input?: number
  readonly image_ratio?: number
  readonly audio?: true
  readonly text_input?: number
  readonly text_output?: number
  readonly audio_input?: number
  readonly audio_output?: number
  readonly audio_ratio?: number
  readonly audio_completion_ratio?: number
  readonly web_search?: true
  readonly web_search_call_count?: number
  /** Dollars for a thousand. */
  readonly web_search_price?: number
  /** What came on top besides, at dollars for a thousand. */
  readonly tool_fees?: readonly { readonly name: string; readonly count: number; readonly price: number }[]
  /** Its input is longer than this, for which the ratios are others than usual. */
  readonly long_input_over?: number
}

export interface Breakdown {
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly details: PriceDetails
}

/** Everything that a log row tells about a charge. */
export function breakdown(snapshot: PriceSnapshot, usage: Usage): Breakdown {
  const { input = 0, imageInput = 0, audioInput = 0, output = 0, audioOutput = 0 } = usage
  const cached = (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + (usage.cacheWriteHour ?? 0)
  return {
    quota: cost(snapshot, usage),
    promptTokens: countOf('input', input + cached + imageInput + audioInput),
    completionTokens: countOf('output', output + audioOutput),
    details: detailsOf(snapshot, usage),
  }
}

function detailsOf(snapshot: PriceSnapshot, usage: Usage): PriceDetails {
  const details = snapshot.kind === 'call' ? callDetails(snapshot, usage) : ratioDetails(snapshot, usage)
  const { search } = snapshot
  const { searches } = usage
  if (snapshot.userGroup !== undefined) details.user_group_ratio = details.group_ratio
  if (snapshot.share !== undefined) details.answer_cache_ratio = toNumber(snapshot.share)
  if (snapshot.batch !== undefined) details.batch_ratio = toNumber(snapshot.batch)
  if (searches && search) {
    details.web_search = true
    details.web_search_call_count = searches
    details.web_search_price = toNumber(search.price)
  }
  if (usage.fees)
    details.tool_fees = usage.fees.map(({ name, count, price }) => ({ name, count, price: toNumber(price) }))
  return details
}

/** While it is written. */
type Draft = { -readonly [Name in keyof PriceDetails]: PriceDetails[Name] }

function callDetails(snapshot: PriceSnapshot & { kind: 'call' }, { calls = 1 }: Usage): Draft {
  const details: Draft = {
    model_ratio: 0,
    model_price: toNumber(snapshot.price),
    completion_ratio: 0,
    group_ratio: toNumber(snapshot.groupRatio),
  }
  if (calls !== 1) details.calls = calls
  return details
}

function ratioDetails(usual: PriceSnapshot & { kind: 'ratio' }, usage: Usage): Draft {
  const snapshot = priceInForce(usual, usage)
  const { cacheRead, cacheWrite, cacheWriteHour, imageInput, audioInput = 0, audioOutput = 0 } = usage
  const details: Draft = {
    model_ratio: toNumber(snapshot.modelRatio),
    model_price: -1,
    completion_ratio: toNumber(snapshot.completionRatio),
    group_ratio: toNumber(snapshot.groupRatio),
  }
  if (cacheRead) {
    details.cache_tokens = cacheRead
    details.cache_ratio = toNumber(snapshot.cacheRatio)
  }
  if (cacheWrite) {
    details.cache_creation_tokens = cacheWrite
    details.cache_creation_ratio = toNumber(snapshot.cacheWriteRatio)
  }
  if (cacheWriteHour) {
    details.cache_creation_tokens_1h = cacheWriteHour
    details.cache_creation_ratio_1h = toNumber(snapshot.cacheWriteHourRatio)
  }
  if (imageInput) {
    details.image = true
    details.image_input = imageInput
    details.image_ratio = toNumber(snapshot.imageRatio)
  }
  if (audioInput + audioOutput > 0) {
    details.audio = true
    details.text_input = usage.input ?? 0
    details.text_output = usage.output ?? 0
    details.audio_input = audioInput
    details.audio_output = audioOutput
    details.audio_ratio = toNumber(snapshot.audioRatio)
    details.audio_completion_ratio = toNumber(snapshot.audioCompletionRatio)
  }
  if (snapshot !== usual && usual.long) details.long_input_over = usual.long.over
  return details
}
