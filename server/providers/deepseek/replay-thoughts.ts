import { asArray, asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'

/**
 * A call that was made while thinking must come back with the thoughts before it. Clients that keep none, and
 * calls of other models, have none to send: an empty one is taken.
 */
export function replayThoughts(body: JsonObject): Edits | undefined {
  if (asObject(body.thinking)?.type === 'disabled') return undefined
  const messages = mapChanged(body.messages, fillThought)
  return messages && { messages }
}

function fillThought(message: Json): Json {
  if (!isObject(message) || asArray(message.tool_calls).length === 0) return message
  return typeof message.reasoning_content === 'string' ? message : { ...message, reasoning_content: '' }
}
