import type { Target } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Effort, NeutralRequest, Reasoning } from '../spec.ts'
import { writeMessages } from './write-messages.ts'
import { writeFormat, writeTools } from './write-tools.ts'

/** Longer ones are refused by the vendor; it is only a hint to its abuse checks, so they are left out. */
const LONGEST_USER = 64

/**
 * Writes what most upstreams of this dialect take; providers change the names of theirs (`max_tokens`).
 * Dropped: top_k, cache marks, whether thoughts are to be seen.
 */
export function writeRequest(request: NeutralRequest, target: Target): JsonObject {
  const body: JsonObject = {
    model: target.model,
    messages: writeMessages(request, target.model),
    ...writeTools(request),
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    stop: request.stop && request.stop.length > 0 ? [...request.stop] : undefined,
    max_tokens: request.maxOutput,
    n: request.choices,
    logprobs: request.logprobs === undefined ? undefined : true,
    top_logprobs: request.logprobs || undefined,
    reasoning_effort: request.reasoning && writeEffort(request.reasoning),
    response_format: request.format && writeFormat(request.format),
    verbosity: request.verbosity,
    user: request.user && request.user.length <= LONGEST_USER ? request.user : undefined,
    service_tier: writeServiceTier(request.serviceTier),
    prompt_cache_key: request.cacheKey,
  }
  if (target.stream) {
    body.stream = true
    body.stream_options = { include_usage: true }
  }
  return body
}

function writeEffort(reasoning: Reasoning): Effort | undefined {
  const { effort, budget } = reasoning
  if (effort !== undefined || budget === undefined) return effort
  if (budget === 0) return 'none'
  if (budget < 0) return 'medium'
  if (budget <= 1024) return 'low'
  return budget <= 2048 ? 'medium' : 'high'
}

/** Tiers by other names are translated where one means the same, else left to the upstream. */
function writeServiceTier(tier: string | undefined): string | undefined {
  switch (tier) {
    case 'auto':
    case 'default':
    case 'flex':
    case 'priority':
    case 'fast':
    case 'scale':
      return tier
    case 'standard':
    case 'standard_only':
      return 'default'
    default:
      return undefined
  }
}
