import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'
import { mapChanged } from './map-changed.ts'

const accepted = /^[a-zA-Z0-9]{9}$/
const LENGTH = 9

/** Ids of other vendors' calls become nine letters and digits, the same for a call and its result. */
export function shortenToolIds(body: JsonObject): Edits | undefined {
  const messages = mapChanged(body.messages, shortenInMessage)
  return messages && { messages }
}

function shortenInMessage(message: Json): Json {
  if (!isObject(message)) return message
  const calls = mapChanged(message.tool_calls, shortenCall)
  const id = message.tool_call_id
  if (typeof id === 'string' && !accepted.test(id)) return { ...message, tool_call_id: shortId(id) }
  return calls ? { ...message, tool_calls: calls } : message
}

function shortenCall(call: Json): Json {
  if (!isObject(call) || typeof call.id !== 'string' || accepted.test(call.id)) return call
  return { ...call, id: shortId(call.id) }
}

function shortId(id: string): string {
  const number = createHash('sha256').update(id).digest().readUIntBE(0, 6) % 36 ** LENGTH
  return number.toString(36).padStart(LENGTH, '0')
}
