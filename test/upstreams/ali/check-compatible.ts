import { asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { checkChat } from '../openai/check-chat.ts'
import type { Call } from '../upstream.ts'
import { refuseCompatible } from './fail.ts'

/** Names of its own, which OpenAI does not have. */
const OWN = ['enable_thinking', 'thinking_budget', 'enable_search', 'search_options', 'top_k']
/** Unless it is told not to. */
const THINKS = /^qwen3\.[5-9]/
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
const STREAM_ONLY = /^(qwq|qvq|qwen3-\d)/

export function thinks(body: JsonObject): boolean {
  return body.enable_thinking === true
}

export function checkCompatible(call: Call): void {
  const { body, options } = call
  for (const name of ['max_completion_tokens', 'web_search_options'])
    if (body[name] !== undefined) refuseCompatible(`Unknown parameter: ${name}`)
  if (body.reasoning_effort !== undefined && !String(body.model).startsWith('qwen3.8'))
    refuseCompatible('reasoning_effort is not supported by this model')
  if (body.reasoning_effort !== undefined && !EFFORTS.includes(String(body.reasoning_effort)))
    refuseCompatible("'reasoning_effort' must be one of: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'")
  if (body.reasoning_effort !== undefined && body.thinking_budget !== undefined)
    refuseCompatible('reasoning_effort and thinking_budget cannot be set together')
  checkTopP(body.top_p, refuseCompatible)
  if (body.tool_choice === 'required')
    refuseCompatible('The tool_choice parameter does not support being set to required')
  if (asObject(body.tool_choice) && THINKS.test(String(body.model)) && body.enable_thinking !== false)
    refuseCompatible(
      'The tool_choice parameter does not support being set to required or object in thinking mode',
    )
  if (STREAM_ONLY.test(String(body.model)) && body.stream !== true)
    refuseCompatible(
      'This model only support stream mode, please enable the stream parameter to access the model.',
    )
  for (const message of Array.isArray(body.messages) ? body.messages : [])
    if (asText(asObject(message)?.role) === 'developer')
      refuseCompatible('developer is not one of [system, assistant, user, tool, function]')
  checkChat({ ...call, body: withoutThoughts(body), options: { ...options, accept: OWN } })
}

/** Thoughts may go back to it. */
function withoutThoughts(body: JsonObject): JsonObject {
  if (!Array.isArray(body.messages)) return body
  const messages = body.messages.map(one => {
    const { reasoning_content: _, ...rest } = asObject(one) ?? {}
    return rest
  })
  return { ...body, messages }
}

export function checkTopP(value: unknown, refuse: (message: string) => never): void {
  if (value !== undefined && !(typeof value === 'number' && value > 0 && value < 1))
    refuse('Range of top_p should be (0.0, 1.0)')
}
