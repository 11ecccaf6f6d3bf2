import { asNumber, asObject, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'

/** Its rerank counts tokens under `meta.tokens`. */
export function showRerankUsage(answer: JsonObject): Edits | undefined {
  const tokens = asObject(asObject(answer.meta)?.tokens)
  if (!tokens || answer.usage !== undefined) return undefined
  const input = asNumber(tokens.input_tokens) ?? 0
  return { usage: { prompt_tokens: input, total_tokens: input + (asNumber(tokens.output_tokens) ?? 0) } }
}
