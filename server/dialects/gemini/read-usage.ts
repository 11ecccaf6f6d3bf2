import { asArray, asObject, type Json, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

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
    ...readModalities(usage, input, output),
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

function readModalities(usage: JsonObject, input: number, output: number): Partial<TokenUsage> {
  const audioInput = sumModality(usage.promptTokensDetails, 'AUDIO', input)
  const imageInput = sumModality(usage.promptTokensDetails, 'IMAGE', input - audioInput)
  const audioOutput = sumModality(usage.candidatesTokensDetails, 'AUDIO', output)
  const imageOutput = sumModality(usage.candidatesTokensDetails, 'IMAGE', output - audioOutput)
  return {
    ...(audioInput > 0 && { audioInput }),
    ...(imageInput > 0 && { imageInput }),
    ...(audioOutput > 0 && { audioOutput }),
    ...(imageOutput > 0 && { imageOutput }),
  }
}

function sumModality(details: Json | undefined, modality: string, most: number): number {
  let sum = 0
  for (const item of asArray(details)) {
    const detail = asObject(item)
    if (detail?.modality === modality && isCount(detail.tokenCount)) sum += detail.tokenCount
  }
  return Math.min(sum, most)
}

/** NaN for what is there and no count, which then spoils the sum. */
function readCount(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  return isCount(value) ? value : Number.NaN
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
