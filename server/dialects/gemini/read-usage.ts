import { asArray, asObject, type Json, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'
import { isCount, readCount, readModalities } from './token-counts.ts'

/** Undefined when the numbers cannot be billed. A count that is left out is zero, but not that of the prompt. */
export function readUsageMetadata(value: Json | undefined): TokenUsage | undefined {
  const usage = asObject(value)
  if (!usage || !isCount(usage.promptTokenCount)) return undefined
  const toolUse = readCount(usage.toolUsePromptTokenCount)
  const answer = readCount(usage.candidatesTokenCount)
  const reasoning = readCount(usage.thoughtsTokenCount)
  const input = usage.promptTokenCount + toolUse
  const output = answer + reasoning
  if (!isCount(input) || !isCount(output)) return undefined
  const cached = usage.cachedContentTokenCount
  return {
    input,
    output,
    ...(isCount(cached) && cached > 0 && { cacheRead: Math.min(cached, input) }),
    ...(reasoning > 0 && { reasoning }),
    ...readModalities(
      { read: usage.promptTokensDetails, made: usage.candidatesTokensDetails, field: 'tokenCount' },
      input,
      output,
    ),
  }
}

export function readUsage(body: JsonObject): TokenUsage | undefined {
  return withSearches(readUsageMetadata(body.usageMetadata), countSearches(body))
}

/** The answers to one prompt may say what was searched for more than once, and in a stream again and again. */
export function countSearches(body: JsonObject): number {
  let most = 0
  for (const item of asArray(body.candidates)) {
    const candidate = asObject(item)
    const grounding = asObject(candidate?.groundingMetadata ?? candidate?.grounding_metadata)
    const words = asArray(grounding?.webSearchQueries ?? grounding?.web_search_queries).length
    // Models that draw look for pictures as well, which is asked for alike.
    const pictures = asArray(grounding?.imageSearchQueries ?? grounding?.image_search_queries).length
    most = Math.max(most, words + pictures + Number(asksMaps(grounding)))
  }
  return most
}

/** Google's maps do not tell what was looked for; a request that was answered from them is one. */
function asksMaps(grounding: JsonObject | undefined): boolean {
  const chunks = asArray(grounding?.groundingChunks ?? grounding?.grounding_chunks)
  return chunks.some(chunk => asObject(chunk)?.maps !== undefined)
}

export function withSearches(usage: TokenUsage | undefined, searches: number): TokenUsage | undefined {
  return usage && searches > 0 ? { ...usage, searches } : usage
}
