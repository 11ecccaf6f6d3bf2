import { asObject, asText, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseField } from '../refuse.ts'
import type { Message, Part, TextPart } from '../spec.ts'
import { type CallNames, readCacheMark, readContent } from './read-blocks.ts'
import { isAbsent } from './read-fields.ts'

export function readMessages(body: JsonObject): readonly Message[] {
  const list = body.messages
  if (!Array.isArray(list) || list.length === 0) refuseField('messages', 'field.some')
  const names: CallNames = new Map()
  const messages = list.map((value, index) => readMessage(value, `messages.${index}`, names))
  return asObject(body.cache_control) === undefined ? messages : markLastPart(messages, body)
}

export function readSystem(system: Json | undefined): readonly TextPart[] {
  return isAbsent(system) ? [] : readTexts(readContent(system, 'system', new Map()), 'system')
}

function readMessage(value: Json, at: string, names: CallNames): Message {
  const message = asObject(value)
  if (message === undefined) refuseField(at, 'field.object')
  const role = asText(message.role)
  const parts = readContent(message.content, `${at}.content`, names)
  if (role === 'user' || role === 'assistant') return { role, parts }
  if (role === 'system') return { role, parts: readTexts(parts, `${at}.content`) }
  refuseChoice(`${at}.role`, ['user', 'assistant', 'system'])
}

function readTexts(parts: readonly Part[], at: string): readonly TextPart[] {
  return parts.map(part => {
    if (part.type !== 'text') refuseField(at, 'field.text-only')
    return part
  })
}

/** cache_control of the request itself asks for a mark on the last block that can have one. */
function markLastPart(messages: readonly Message[], body: JsonObject): readonly Message[] {
  const last = messages.at(-1)
  const part = last?.parts.at(-1)
  if (last === undefined || part === undefined || part.type === 'thinking' || part.type === 'audio')
    return messages
  const marked: Part = { ...part, cache: part.cache ?? readCacheMark(body) }
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts.slice(0, -1), marked] }]
}
