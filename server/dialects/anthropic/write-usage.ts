import type { JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

export function writeUsage(usage: TokenUsage | undefined, estimatedInput: number): JsonObject {
  const { input, output, reasoning } = usage ?? { input: estimatedInput, output: 0 }
  const read = usage?.cacheRead ?? 0
  const written = usage?.cacheWrite ?? 0
  const hour = Math.min(usage?.cacheWriteHour ?? 0, written)
  return {
    input_tokens: Math.max(0, input - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
    output_tokens: output,
    output_tokens_details: reasoning === undefined ? undefined : { thinking_tokens: reasoning },
  }
}
