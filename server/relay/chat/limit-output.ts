import { asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import type { Edits } from '../../providers/define.ts'
import { limitNames } from '../request/look-at-request.ts'

/** Anthropic's least for thinking. */
const LEAST_THINKING = 1024
/** OpenAI's least for a response. */
const LEAST_RESPONSE = 16

/** Keeps a request that passes as it is to what the money allows, under every name that a limit stands there. */
export function limitOutput(dialect: DialectName, body: JsonObject, limit: number): Edits {
  if (dialect === 'openai-responses')
    return limitNamed(dialect, body, Math.max(LEAST_RESPONSE, limit), 'max_output_tokens')
  if (dialect === 'anthropic')
    return { ...limitNamed(dialect, body, limit, 'max_tokens'), ...limitThinking(body, limit) }
  if (dialect === 'openai-chat') {
    const usual = body.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens'
    return limitNamed(dialect, body, limit, usual)
  }
  const isOld = dialect === 'gemini' && body.generation_config === undefined
  const name = isOld ? 'generationConfig' : 'generation_config'
  const config = asObject(body[name]) ?? {}
  const usual = dialect === 'gemini' ? 'maxOutputTokens' : 'max_output_tokens'
  return { [name]: { ...config, ...limitNamed(dialect, config, limit, usual) } }
}

/** Upstreams differ in which of two they heed, so each is kept to it; none is made larger than it was. */
function limitNamed(
  dialect: DialectName,
  body: JsonObject,
  limit: number,
  usual: string,
): Record<string, Json> {
  const named = limitNames[dialect].flatMap(name => {
    const own = body[name]
    return typeof own === 'number' ? [[name, Math.min(own, limit)] as const] : []
  })
  return named.length > 0 ? Object.fromEntries(named) : { [usual]: limit }
}

/** Thinking is part of the answer and must leave room for the rest of it. */
function limitThinking(body: JsonObject, limit: number): Edits {
  const thinking = asObject(body.thinking)
  const budget = thinking?.budget_tokens
  if (typeof budget !== 'number' || budget < limit) return {}
  const half = Math.floor(limit / 2)
  return { thinking: half < LEAST_THINKING ? { type: 'disabled' } : { ...thinking, budget_tokens: half } }
}
