import { asObject, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'
import { readToolUse } from './read-tool-use.ts'

/** Usage of a whole answer. What does not add up is not usage: better none than a wrong charge. */
export function readUsage(response: JsonObject): TokenUsage | undefined {
  const usage = asObject(response.usage)
  const input = asCount(usage?.input_tokens)
  const output = asCount(usage?.output_tokens)
  if (!usage || input === undefined || output === undefined) return undefined
  const inputs = asObject(usage.input_tokens_details)
  const outputs = asObject(usage.output_tokens_details)
  const cacheRead = asShare(inputs?.cached_tokens, input)
  const cacheWrite = asShare(inputs?.cache_write_tokens, input - (cacheRead ?? 0))
  const kept = asObject(inputs?.cache_write_tokens_details)
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    // For half a day; the usual is half an hour.
    ...(kept && { cacheWriteHour: asShare(kept.ttl_12h_tokens, cacheWrite ?? 0) || undefined }),
    reasoning: asShare(outputs?.reasoning_tokens, output),
    ...readToolUse(response, usage),
  }
}

function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function asShare(value: unknown, whole: number): number | undefined {
  const count = asCount(value)
  return count === undefined ? undefined : Math.min(count, whole)
}
