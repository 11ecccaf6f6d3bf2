import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'

/** It calls thoughts `reasoning`, and refuses messages that have them by the name that others use. */
export function leaveOutContent(body: JsonObject): Edits | undefined {
  const messages = mapChanged(body.messages, leaveOut)
  return messages && { messages }
}

function leaveOut(message: Json): Json {
  if (!isObject(message)) return message
  const { reasoning_content, reasoning_details, ...kept } = message
  return reasoning_content === undefined && reasoning_details === undefined ? message : kept
}
