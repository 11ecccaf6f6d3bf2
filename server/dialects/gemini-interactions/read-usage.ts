import { isCount, readCount, readModalities } from '../gemini/token-counts.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

/** Of an interaction that came whole. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  return withSearches(readUsageOf(body.usage), countSearches(asArray(body.steps)))
}

/** Undefined when the numbers cannot be billed. A count that is left out is zero, but not that of the prompt. */
export function readUsageOf(value: Json | undefined): TokenUsage | undefined {
  const usage = asObject(value)
  if (!usage || !isCount(usage.total_input_tokens)) return undefined
  const reasoning = readCount(usage.total_thought_tokens)
  const input = usage.total_input_tokens + readCount(usage.total_tool_use_tokens)
  const output = readCount(usage.total_output_tokens) + reasoning
  if (!isCount(input) || !isCount(output)) return undefined
  const cached = usage.total_cached_tokens
  const searches = searchesIn(usage.grounding_tool_count)
  return {
    input,
    output,
    ...(isCount(cached) && cached > 0 && { cacheRead: Math.min(cached, input) }),
    ...(reasoning > 0 && { reasoning }),
    ...readModalities(
      { read: usage.input_tokens_by_modality, made: usage.output_tokens_by_modality, field: 'tokens' },
      input,
      output,
    ),
    ...(searches > 0 && { searches }),
  }
}

/** What was seen of searches, where usage does not tell of as many. */
export function withSearches(usage: TokenUsage | undefined, seen: number): TokenUsage | undefined {
  return usage && seen > (usage.searches ?? 0) ? { ...usage, searches: seen } : usage
}

function countSearches(steps: readonly Json[]): number {
  return steps.reduce<number>((sum, step) => sum + searchesOf(asObject(step)), 0)
}

/** How often a step has Google search: each question is one, and so is a look at the maps. */
export function searchesOf(step: JsonObject | undefined): number {
  if (step?.type === 'google_maps_call') return 1
  if (step?.type !== 'google_search_call') return 0
  return Math.max(1, asArray(asObject(step.arguments)?.queries).length)
}

const searching: ReadonlySet<string | undefined> = new Set(['google_search', 'google_maps'])

function searchesIn(counts: Json | undefined): number {
  let sum = 0
  for (const item of asArray(counts)) {
    const told = asObject(item)
    if (searching.has(asText(told?.type)) && isCount(told?.count)) sum += told?.count as number
  }
  return sum
}
