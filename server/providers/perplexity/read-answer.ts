import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { CitationPart, NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import { asCount, usageOf } from '../kit/answers/count.ts'

/** As OpenAI's Responses; what was found stands in items of its own and not beside the text. */
export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const answer = dialects['openai-responses'].readAnswer(body)
  return answer && { ...answer, parts: [...answer.parts, ...readSources(body)], usage: readUsage(body) }
}

export function readUsage(body: JsonObject): TokenUsage | undefined {
  const usage = asObject(body.usage)
  const details = asObject(usage?.input_tokens_details)
  const input = asCount(usage?.input_tokens) ?? 0
  const cached = asCount(details?.cache_read_input_tokens) ?? asCount(details?.cached_tokens) ?? 0
  const written = asCount(details?.cache_creation_input_tokens) ?? 0
  const searches = asCount(asObject(asObject(usage?.tool_calls_details)?.search_web)?.invocation)
  return usageOf(usage?.input_tokens, usage?.output_tokens, {
    ...(cached > 0 && { cacheRead: Math.min(cached, input) }),
    ...(written > 0 && { cacheWrite: Math.min(written, input - Math.min(cached, input)) }),
    ...(searches && { searches }),
  })
}

export function readSources({ output }: JsonObject): CitationPart[] {
  return asArray(output).flatMap(item => {
    const found = asObject(item)
    return found?.type === 'search_results' ? asArray(found.results).flatMap(readSource) : []
  })
}

function readSource(value: Json): CitationPart[] {
  const source = asObject(value)
  const url = asText(source?.url)
  return url ? [{ type: 'citation', url, title: asText(source?.title) }] : []
}
