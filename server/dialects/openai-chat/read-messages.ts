import { wrapText } from '../freeform-tools.ts'
import { asArray, asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField, refuseValue } from '../refuse.ts'
import type { FilePart, ImagePart, Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../spec.ts'
import { needText } from './check-fields.ts'
import { readGoogleSignature } from './google-signature.ts'
import { readCacheMark, readContent, readImage } from './read-content.ts'
import { readThinking } from './reasoning-details.ts'

interface Conversation {
  readonly system: TextPart[]
  readonly messages: Message[]
}

export function readMessages(value: Json | undefined): Conversation {
  if (!Array.isArray(value) || value.length === 0) refuseField('messages', 'field.some')
  const reader = new MessagesReader()
  value.forEach((message, index) => {
    if (!isObject(message)) refuseField(`messages[${index}]`, 'field.object')
    reader.read(message, `messages[${index}]`, index)
  })
  return reader
}

class MessagesReader implements Conversation {
  readonly system: TextPart[] = []
  readonly messages: Message[] = []
  readonly #names = new Map<string, string>()
  /** Calls of the old form have no id: the last one of each name answers for it. */
  readonly #oldCalls = new Map<string, string>()
  /** The results that are being gathered into one message. */
  #results: Part[] | undefined

  read(message: JsonObject, field: string, index: number): void {
    const role = message.role
    if (role === 'tool') return this.#addResult(readResult(message, field), message, field)
    if (role === 'function') return this.#addResult(this.#nameOldResult(message, field), message, field)
    this.#results = undefined
    if (role === 'system' || role === 'developer') this.#addSystem(message, field)
    else if (role === 'user')
      this.messages.push({ role, parts: markLast(readUser(message, field), readCacheMark(message)) })
    else if (role === 'assistant') this.#addAssistant(message, field, index)
    else refuseValue(`${field}.role`, role)
  }

  #addSystem(message: JsonObject, field: string): void {
    const parts = readContent(message.content, `${field}.content`).map(part =>
      part.type === 'text' ? part : refuseField(`${field}.content`, 'field.text-only'),
    )
    const marked = markLast(parts, readCacheMark(message))
    if (this.messages.length === 0) this.system.push(...marked)
    else this.messages.push({ role: 'system', parts: marked })
  }

  #addAssistant(message: JsonObject, field: string, index: number): void {
    if (isObject(message.audio)) refuseFeature('feature.audio-output')
    const calls = asCalls(message.tool_calls, `${field}.tool_calls`).map((call, at) =>
      readCall(call, `${field}.tool_calls[${at}]`),
    )
    if (isObject(message.function_call)) calls.push(this.#readOldCall(message.function_call, field, index))
    for (const call of calls) this.#names.set(call.id, call.name)
    const parts = [...readThinking(message), ...readSaid(message, field), ...calls]
    this.messages.push({ role: 'assistant', parts: markLast(parts, readCacheMark(message)) })
  }

  #readOldCall(call: JsonObject, field: string, index: number): ToolCallPart {
    const name = needText(call, 'name', `${field}.function_call.name`)
    const id = `call_${index}`
    this.#oldCalls.set(name, id)
    return { type: 'tool-call', id, name, input: readInput(call.arguments) }
  }

  #nameOldResult(message: JsonObject, field: string): { callId: string; name: string } {
    const name = needText(message, 'name', `${field}.name`)
    return { callId: this.#oldCalls.get(name) ?? `call_${name}`, name }
  }

  #addResult(result: { callId: string; name?: string }, message: JsonObject, field: string): void {
    const content = readContent(message.content ?? '', `${field}.content`).map(part =>
      isResultPart(part) ? part : refuseField(`${field}.content`, 'field.no-audio'),
    )
    const part: ToolResultPart = {
      type: 'tool-result',
      callId: result.callId,
      name: result.name ?? this.#names.get(result.callId),
      content,
      cache: readCacheMark(message),
    }
    if (this.#results === undefined) {
      this.#results = []
      this.messages.push({ role: 'user', parts: this.#results })
    }
    this.#results.push(part)
  }
}

function readResult(message: JsonObject, field: string): { callId: string } {
  return { callId: needText(message, 'tool_call_id', `${field}.tool_call_id`) }
}

function readUser(message: JsonObject, field: string): Part[] {
  return readContent(message.content, `${field}.content`)
}

/** What the assistant said; where it only called tools, that is nothing. */
function readSaid(message: JsonObject, field: string): Part[] {
  const content = message.content ?? undefined
  const parts = content === undefined ? [] : readContent(content, `${field}.content`)
  const said = parts.filter(part => part.type !== 'text' || part.text !== '')
  const refusal = asText(message.refusal)
  if (refusal) said.push({ type: 'text', text: refusal, refusal: true })
  asArray(message.images).forEach((image, at) => {
    if (isObject(image)) said.push(readImage(image, `${field}.images[${at}]`))
  })
  return signLastText(said, readGoogleSignature(message))
}

function signLastText(parts: Part[], signature: string | undefined): Part[] {
  if (signature === undefined) return parts
  const at = parts.findLastIndex(part => part.type === 'text')
  return parts.map((part, index) => (index === at && part.type === 'text' ? { ...part, signature } : part))
}

function asCalls(value: Json | undefined, field: string): Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : refuseField(field, 'field.list')
}

function readCall(call: Json, field: string): ToolCallPart {
  if (!isObject(call)) refuseField(field, 'field.object')
  const kind = call.type === 'custom' ? 'custom' : 'function'
  const called = call[kind]
  if (!isObject(called)) refuseField(`${field}.${kind}`, 'field.object')
  const value = readGoogleSignature(call)
  return {
    type: 'tool-call',
    id: needText(call, 'id', `${field}.id`),
    name: needText(called, 'name', `${field}.${kind}.name`),
    input: kind === 'custom' ? wrapText(asText(called.input) ?? '') : readInput(called.arguments),
    signature: value === undefined ? undefined : { by: 'gemini', value },
  }
}

/** Some clients send the arguments as an object. */
export function readInput(value: Json | undefined): string {
  return isObject(value) ? JSON.stringify(value) : (asText(value) ?? '')
}

function isResultPart(part: Part): part is TextPart | ImagePart | FilePart {
  return part.type === 'text' || part.type === 'image' || part.type === 'file'
}

/** A mark on the message as a whole is one on its end. */
function markLast<P extends Part>(parts: P[], cache: TextPart['cache']): P[] {
  const last = parts.at(-1)
  if (cache === undefined || last === undefined || last.type === 'thinking' || last.type === 'audio')
    return parts
  return [...parts.slice(0, -1), { ...last, cache }]
}
