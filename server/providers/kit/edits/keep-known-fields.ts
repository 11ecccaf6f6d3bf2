import { asText, isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { EditBody, Edits } from '../../define.ts'
import { mapChanged } from './map-changed.ts'

type Names = ReadonlySet<string>

/** What a vendor that refuses unknown fields takes. Roles and types that are not named are left alone. */
export interface KnownFields {
  readonly body: Names
  readonly messageByRole: ReadonlyMap<string, Names>
  readonly partByType: ReadonlyMap<string, Names>
  readonly toolCall: Names
}

export function keepKnownFields(known: KnownFields): EditBody {
  return body => {
    const edits: Edits = {}
    for (const name of Object.keys(body)) if (!known.body.has(name)) edits[name] = undefined
    const messages = mapChanged(body.messages, message => keepInMessage(message, known))
    if (messages) edits.messages = messages
    return Object.keys(edits).length > 0 ? edits : undefined
  }
}

/** For bodies without messages. */
export function keepKnownNames(names: Names): EditBody {
  return keepKnownFields({
    body: names,
    messageByRole: new Map(),
    partByType: new Map(),
    toolCall: new Set(),
  })
}

function keepInMessage(message: Json, known: KnownFields): Json {
  if (!isObject(message)) return message
  const names = known.messageByRole.get(asText(message.role) ?? '')
  if (!names) return message
  const kept = pick(message, names)
  const content = mapChanged(kept.content, part => keepInPart(part, known.partByType))
  const calls = mapChanged(kept.tool_calls, call => (isObject(call) ? pick(call, known.toolCall) : call))
  if (!content && !calls) return kept
  return { ...kept, ...(content && { content }), ...(calls && { tool_calls: calls }) }
}

function keepInPart(part: Json, partByType: KnownFields['partByType']): Json {
  if (!isObject(part)) return part
  const names = partByType.get(asText(part.type) ?? '')
  return names ? pick(part, names) : part
}

function pick(object: JsonObject, names: Names): JsonObject {
  const own = Object.keys(object)
  if (own.every(name => names.has(name))) return object
  const kept: JsonObject = {}
  for (const name of own) if (names.has(name)) kept[name] = object[name]
  return kept
}
