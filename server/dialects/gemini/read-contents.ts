import type { Json } from '../json.ts'
import { refuseChoice, refuseField } from '../refuse.ts'
import type { Message, Part, TextPart } from '../spec.ts'
import { CallIds } from './call-ids.ts'
import { readList, readObject } from './check-fields.ts'
import { readPart } from './read-parts.ts'

interface OpenMessage {
  readonly role: 'user' | 'assistant'
  readonly parts: Part[]
}

export function readContents(value: Json | undefined): Message[] {
  const list = readList(value, 'contents')
  if (list.length === 0) refuseField('contents', 'field.some')
  const ids = new CallIds()
  const messages: OpenMessage[] = []
  list.forEach((item, at) => {
    readContent(item, `contents[${at}]`, ids, messages)
  })
  if (messages.length === 0) refuseField('contents', 'field.holds-part')
  return messages
}

export function readSystem(value: Json | undefined): TextPart[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }]
  const content = readObject(value, 'systemInstruction')
  const texts: TextPart[] = []
  readList(content.parts, 'systemInstruction.parts').forEach((item, at) => {
    const part = readPart(item, `systemInstruction.parts[${at}]`, new CallIds())
    if (part?.type === 'text' && part.text !== '') texts.push({ type: 'text', text: part.text })
  })
  return texts
}

function readContent(value: Json, field: string, ids: CallIds, messages: OpenMessage[]): void {
  const content = readObject(value, field)
  const role = readRole(content.role, field)
  const open = role === 'assistant' ? messages.at(-1) : undefined
  const message = open?.role === role ? open : { role, parts: [] }
  readList(content.parts, `${field}.parts`).forEach((item, at) => {
    const part = readPart(item, `${field}.parts[${at}]`, ids)
    if (part) appendPart(message, part)
  })
  if (message !== open && message.parts.length > 0) messages.push(message)
}

function readRole(value: Json | undefined, field: string): 'user' | 'assistant' {
  if (value === undefined || value === null || value === '' || value === 'user' || value === 'function')
    return 'user'
  return value === 'model' ? 'assistant' : refuseChoice(`${field}.role`, ['user', 'model'])
}

/**
 * A client that kept a stream as its history sends the model's turn back in as many contents as there were
 * chunks. The pieces are put together again; a signature ends the piece that it stands on.
 */
function appendPart(message: OpenMessage, part: Part): void {
  const { parts } = message
  const last = parts.at(-1)
  const joined = message.role === 'assistant' && last ? joinPieces(last, part) : undefined
  if (joined) parts[parts.length - 1] = joined
  else parts.push(part)
}

function joinPieces(last: Part, part: Part): Part | undefined {
  if ('signature' in last && last.signature !== undefined) return undefined
  if (last.type === 'text' && part.type === 'text' && part.signature === undefined)
    return { type: 'text', text: last.text + part.text }
  if (last.type !== 'thinking' || part.type !== 'thinking') return undefined
  if (last.redacted !== undefined || part.redacted !== undefined) return undefined
  return { type: 'thinking', text: last.text + part.text, signature: part.signature }
}
