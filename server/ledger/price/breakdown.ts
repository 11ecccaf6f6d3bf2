import { countOf, toNumber } from './decimal.ts'
import { cost, type Fee, type PriceSnapshot, priceInForce, type Usage } from './price-snapshot.ts'

/** How a charge came about, in the words of a log row's `other`; what was not used is left out. */
export interface PriceDetails {
  readonly model_ratio: number
  /** Dollars per call; -1 when the charge is by ratio. */
  readonly model_price: number
  readonly completion_ratio: number
  readonly group_ratio: number
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
    details: {
      ...(snapshot.kind === 'call' ? callDetails(snapshot, usage) : ratioDetails(snapshot, usage)),
      ...searchDetails(snapshot, usage),
      ...(usage.fees ? feeDetails(usage.fees) : {}),
    },
  }
}

function searchDetails({ search }: PriceSnapshot, { searches }: Usage): Partial<PriceDetails> {
  if (!searches || !search) return {}
  return {
    web_search: true,
    web_search_call_count: searches,
    web_search_price: toNumber(search.price),
  }
}

function feeDetails(fees: readonly Fee[]): Partial<PriceDetails> {
  return { tool_fees: fees.map(({ name, count, price }) => ({ name, count, price: toNumber(price) })) }
}

function callDetails(snapshot: PriceSnapshot & { kind: 'call' }, { calls = 1 }: Usage): PriceDetails {
  return {
    model_ratio: 0,
    model_price: toNumber(snapshot.price),
    completion_ratio: 0,
    group_ratio: toNumber(snapshot.groupRatio),
    ...(calls === 1 ? {} : { calls }),
  }
}

function ratioDetails(usual: PriceSnapshot & { kind: 'ratio' }, usage: Usage): PriceDetails {
  const snapshot = priceInForce(usual, usage)
  const { cacheRead, cacheWrite, cacheWriteHour, imageInput, audioInput = 0, audioOutput = 0 } = usage
  return {
    model_ratio: toNumber(snapshot.modelRatio),
    model_price: -1,
    completion_ratio: toNumber(snapshot.completionRatio),
    group_ratio: toNumber(snapshot.groupRatio),
    ...(cacheRead ? { cache_tokens: cacheRead, cache_ratio: toNumber(snapshot.cacheRatio) } : {}),
    ...(cacheWrite
      ? { cache_creation_tokens: cacheWrite, cache_creation_ratio: toNumber(snapshot.cacheWriteRatio) }
      : {}),
    ...(cacheWriteHour
      ? {
          cache_creation_tokens_1h: cacheWriteHour,
          cache_creation_ratio_1h: toNumber(snapshot.cacheWriteHourRatio),
        }
      : {}),
    ...(imageInput
      ? { image: true, image_input: imageInput, image_ratio: toNumber(snapshot.imageRatio) }
      : {}),
    ...(audioInput + audioOutput > 0
      ? {
          audio: true,
          text_input: usage.input ?? 0,
          text_output: usage.output ?? 0,
          audio_input: audioInput,
          audio_output: audioOutput,
          audio_ratio: toNumber(snapshot.audioRatio),
          audio_completion_ratio: toNumber(snapshot.audioCompletionRatio),
        }
      : {}),
    ...(snapshot !== usual && usual.long ? { long_input_over: usual.long.over } : {}),
  }
}
