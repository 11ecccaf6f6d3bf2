import { isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Destination, Edits } from '../../define.ts'
import { isOpenaiModel } from '../families/openai-names.ts'
import { mapChanged } from './map-changed.ts'

const thoughts = ['reasoning_content', 'reasoning', 'reasoning_details', 'extra_content'] as const

/**
 * Thoughts and signatures of other models, which clients send back with their messages, are unknown fields to
 * OpenAI's own models and a 400. Other models behind an address of this kind may need theirs.
 */
export function leaveOutThoughts(body: JsonObject, to: Destination): Edits | undefined {
  if (!isOpenaiModel(to.model)) return undefined
  const messages = mapChanged(body.messages, leaveOutOfMessage)
  return messages && { messages }
}

function leaveOutOfMessage(message: Json): Json {
  if (!isObject(message) || message.role !== 'assistant') return message
  const calls = mapChanged(message.tool_calls, leaveOut)
  const kept = leaveOut(message)
  return calls && isObject(kept) ? { ...kept, tool_calls: calls } : kept
}

function leaveOut(value: Json): Json {
  if (!isObject(value) || !thoughts.some(name => Object.hasOwn(value, name))) return value
  const kept = { ...value }
  for (const name of thoughts) delete kept[name]
  return kept
}
