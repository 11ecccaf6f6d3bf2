import type { JsonObject } from '../dialects/json.ts'
import { divide, type Exact, exact, multiply, toNumber } from '../ledger/price/decimal.ts'
import type { RatioPrice } from '../ledger/price/price-snapshot.ts'
import type { Admitted } from './callers/authorise.ts'
import type { RelayParts } from './parts.ts'
import { groupsToServe } from './routing/groups-in-turn.ts'
import { type Kind, kindOf, modelsFor } from './serve-models.ts'

type Parts = Pick<RelayParts, 'channels' | 'prices'>

/** The models that the caller may use, and what they pay for them, as clients of LiteLLM ask for that. */
export function serveModelInfo(parts: Parts, admitted: Admitted): Response {
  const data = modelsFor(parts, admitted).map(model => describe(parts, admitted, model))
  return Response.json({ data })
}

/** Clients leave out what has no `litellm_params.model`. Whose a model is, and where, is nobody's business. */
function describe(parts: Parts, admitted: Admitted, model: string): JsonObject {
  const kind = kindOf(model)
  const mode = modes[kind]
  return {
    model_name: model,
    litellm_params: { model },
    model_info: {
      id: model,
      key: model,
      db_model: false,
      ...(mode && { mode }),
      ...costsOf(parts, admitted, model),
    },
  }
}

const modes: Readonly<Partial<Record<Kind, string>>> = {
  chat: 'chat',
  embeddings: 'embedding',
  rerank: 'rerank',
  images: 'image_generation',
  search: 'search',
  ocr: 'ocr',
}

/** In dollars, as the caller pays them; none for what has no price and so cannot be called. */
function costsOf(
  { channels, prices }: Parts,
  { caller, group, groups, pinned }: Admitted,
  model: string,
): JsonObject {
  const book = prices()
  const paid = groups ? groupsToServe(channels, groups, { pinned, model })[0] : group
  const ratio = paid === undefined ? undefined : book.groupRatio(paid, caller.userGroup)
  const price = book.findPrice(model)
  if (ratio === undefined || !price) return {}
  if (price.kind === 'call')
    return { [callCosts[kindOf(model)] ?? 'input_cost_per_request']: costOf(price.price, ratio) }
  return tokenCosts(price, (...ratios) => costOf(...ratios, ratio, exact(divide(1, book.quotaPerUnit))))
}

const callCosts: Readonly<Partial<Record<Kind, string>>> = {
  rerank: 'input_cost_per_query',
  search: 'input_cost_per_query',
  images: 'output_cost_per_image',
  ocr: 'ocr_cost_per_page',
}

function costOf(...factors: readonly Exact[]): number {
  return toNumber(exact(multiply(...factors)))
}

/** Whether a vendor keeps what was read is known here by its price alone. */
function tokenCosts(price: RatioPrice, cost: (...ratios: Exact[]) => number): JsonObject {
  const { modelRatio, completionRatio, cacheRatio, cacheWriteRatio, audioRatio, audioCompletionRatio } = price
  return {
    input_cost_per_token: cost(modelRatio),
    output_cost_per_token: cost(modelRatio, completionRatio),
    ...(toNumber(cacheRatio) < 1 && {
      supports_prompt_caching: true,
      cache_read_input_token_cost: cost(modelRatio, cacheRatio),
      cache_creation_input_token_cost: cost(modelRatio, cacheWriteRatio),
    }),
    ...(audioRatio !== 1 && {
      input_cost_per_audio_token: cost(modelRatio, audioRatio),
      output_cost_per_audio_token: cost(modelRatio, audioRatio, audioCompletionRatio),
    }),
    ...(price.long && longCosts(price.long, cost)),
  }
}

/** The length stands in the name of the field, in thousands. */
function longCosts(long: NonNullable<RatioPrice['long']>, cost: (...ratios: Exact[]) => number): JsonObject {
  if (long.over % 1000 !== 0) return {}
  const above = `cost_per_token_above_${long.over / 1000}k_tokens`
  return {
    [`input_${above}`]: cost(long.modelRatio),
    [`output_${above}`]: cost(long.modelRatio, long.completionRatio),
  }
}
