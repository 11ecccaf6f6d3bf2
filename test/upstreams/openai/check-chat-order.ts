import { asArray, asObject, asText, type Json } from '../../../server/dialects/json.ts'
import { refuseOpenai } from './fail.ts'

/** Calls are followed by their results, results follow their calls. */
export function checkChatOrder(messages: readonly Json[]): void {
  let open = new Set<string>()
  let known = new Set<string>()
  for (const [at, one] of messages.entries()) {
    const message = asObject(one) ?? {}
    if (message.role === 'tool') {
      const id = asText(message.tool_call_id) ?? ''
      if (!known.has(id))
        refuseOpenai(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${at}].role`,
        )
      open.delete(id)
      continue
    }
    refuseOpen(open, at)
    open = new Set(asArray(message.tool_calls).map((call, index) => checkCall(call, at, index)))
    known = new Set(open)
  }
  refuseOpen(open, messages.length)
}

function refuseOpen(open: ReadonlySet<string>, at: number): void {
  if (open.size === 0) return
  refuseOpenai(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    `messages.[${at}].role`,
  )
}

function checkCall(value: Json, at: number, index: number): string {
  const call = asObject(value)
  const where = `messages[${at}].tool_calls[${index}]`
  const fn = asObject(call?.function)
  const id = asText(call?.id)
  if (id === undefined)
    refuseOpenai(`Missing required parameter: '${where}.id'.`, `${where}.id`, 'missing_required_parameter')
  if (id.length > 40)
    refuseOpenai(
      `Invalid '${where}.id': string too long. Expected a string with maximum length 40, but got a string with length ${id.length} instead.`,
      `${where}.id`,
      'string_above_max_length',
    )
  if (call?.type === 'function' && typeof fn?.arguments !== 'string')
    refuseOpenai(
      `Invalid type for '${where}.function.arguments': expected a string.`,
      `${where}.function.arguments`,
      'invalid_type',
    )
  return id
}
