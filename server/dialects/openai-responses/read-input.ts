import { wrapText } from '../freeform-tools.ts'
import { asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseFeature, refuseField, refuseNamed } from '../refuse.ts'
import type { Message, Part, Signature, TextPart, ToolResultPart } from '../spec.ts'
import { joinNames, nameIn, TOOL_SEARCH } from './namespaces.ts'
import { readContent, readSystemContent } from './read-content.ts'
import { readList, readText, requireName } from './read-field.ts'
import { readMadeImage, readReasoning } from './read-item.ts'

interface Conversation {
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
}

/** `input`, which is a text or a list of items, with `instructions` before it. */
export function readInput(input: Json | undefined, instructions: string | undefined): Conversation {
  const builder = new ConversationBuilder()
  if (instructions) builder.addSystem([{ type: 'text', text: instructions }])
  if (typeof input === 'string') builder.addUser([{ type: 'text', text: input }])
  else if (Array.isArray(input)) readItems(input, builder)
  else refuseField('input', 'field.string-or-list')
  if (builder.messages.length === 0 && builder.system.length === 0) refuseField('input', 'field.empty')
  return { system: builder.system, messages: builder.messages }
}

function readItems(items: readonly Json[], builder: ConversationBuilder): void {
  const names = readCallNames(items)
  items.forEach((item, at) => {
    const field = `input[${at}]`
    if (!isObject(item)) refuseField(field, 'field.object')
    readItem(item, field, names, builder)
  })
}

function readCallNames(items: readonly Json[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const item of items) {
    if (!isObject(item) || (item.type !== 'function_call' && item.type !== 'custom_tool_call')) continue
    const id = asText(item.call_id)
    const name = nameIn(item)
    if (id !== undefined && name !== '') names.set(id, name)
  }
  return names
}

function readItem(
  item: JsonObject,
  field: string,
  names: ReadonlyMap<string, string>,
  builder: ConversationBuilder,
): void {
  switch (item.type ?? 'message') {
    case 'message':
      return readMessage(item, field, builder)
    case 'agent_message':
      return builder.addUser(readContent(openLetter(item.content), `${field}.content`))
    case 'function_call':
      return readCall(item, field, builder)
    case 'custom_tool_call':
      return readCustomCall(item, field, builder)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return builder.addResult(readResult(item, field, names))
    case 'tool_search_call':
      return readToolSearch(item, field, builder)
    case 'tool_search_output':
      return readFoundTools(item, field, builder)
    // Read with the other tools, and with the other settings.
    case 'additional_tools':
    case 'configuration_update':
      return
    case 'reasoning': {
      const { thought, ofCall } = readReasoning(item)
      if (ofCall) builder.callSignature = ofCall
      if (thought) builder.addAssistant([thought])
      return
    }
    // The vendor's own search: what it found is in the text that follows.
    case 'web_search_call':
      return
    case 'image_generation_call': {
      const made = readMadeImage(item)
      if (made)
        builder.addAssistant([{ type: 'image', source: { data: made.data, mediaType: made.mediaType } }])
      return
    }
    case 'item_reference':
      return readReference(asText(item.id) ?? '')
    default:
      return refuseNamed(asText(item.type) ?? `${field}.type`)
  }
}

/**
 * An item that is named instead of sent back. Nothing is stored that it could be looked up in: a thought or a
 * search is gone on without, for nothing said depends on it; what was said or called cannot be made up.
 */
function readReference(id: string): void {
  if (id.startsWith('rs_') || id.startsWith('ws_')) return
  refuseFeature('feature.item-reference')
}

function readMessage(item: JsonObject, field: string, builder: ConversationBuilder): void {
  const content = `${field}.content`
  switch (item.role) {
    case 'user':
      return builder.addUser(readContent(item.content, content))
    case 'assistant':
      return builder.addAssistant(readContent(item.content, content))
    case 'system':
    case 'developer':
      return builder.addSystem(readSystemContent(item.content, content))
    default:
      return refuseChoice(`${field}.role`, ['user', 'assistant', 'system', 'developer'])
  }
}

/**
 * What one agent of Codex tells another. OpenAI seals what its models write to each other; what other models write for
 * it stands there as it is.
 */
function openLetter(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content
  return content.flatMap(part => {
    if (!isObject(part) || part.type !== 'encrypted_content') return [part]
    const text = asText(part.encrypted_content) ?? ''
    return SEALED.test(text) ? [] : [{ type: 'input_text', text }]
  })
}

const SEALED = /^gAAAA[\w-]+=*$/

function readCall(item: JsonObject, field: string, builder: ConversationBuilder): void {
  builder.addAssistant([
    {
      type: 'tool-call',
      id: requireName(item.call_id, `${field}.call_id`),
      name: joinNames(asText(item.namespace), requireName(item.name, `${field}.name`)),
      input: readText(item.arguments, `${field}.arguments`) ?? '',
      signature: builder.takeCallSignature(),
    },
  ])
}

function readCustomCall(item: JsonObject, field: string, builder: ConversationBuilder): void {
  const input = wrapText(readText(item.input, `${field}.input`) ?? '')
  readCall({ ...item, arguments: input }, field, builder)
}

/** One that the vendor made itself has no id of a call: nothing is said of it. */
function readToolSearch(item: JsonObject, field: string, builder: ConversationBuilder): void {
  if (!asText(item.call_id)) return
  const input = isObject(item.arguments) ? JSON.stringify(item.arguments) : item.arguments
  readCall({ call_id: item.call_id, name: TOOL_SEARCH, arguments: input }, field, builder)
}

/** The tools themselves are read with the others; the model is told which they are. */
function readFoundTools(item: JsonObject, field: string, builder: ConversationBuilder): void {
  const callId = asText(item.call_id)
  if (!callId) return
  const found = readList(item.tools, `${field}.tools`).flatMap(namesOf)
  const text = found.length === 0 ? 'No tools found.' : `Now at hand: ${found.join(', ')}`
  builder.addResult({
    type: 'tool-result',
    callId,
    name: TOOL_SEARCH,
    content: [{ type: 'text', text }],
  })
}

function namesOf(tool: Json): string[] {
  if (!isObject(tool)) return []
  if (!Array.isArray(tool.tools)) return [nameIn(tool)]
  const namespace = asText(tool.name)
  return tool.tools.map(one => joinNames(namespace, isObject(one) ? (asText(one.name) ?? '') : ''))
}

function readResult(item: JsonObject, field: string, names: ReadonlyMap<string, string>): ToolResultPart {
  const callId = requireName(item.call_id, `${field}.call_id`)
  const content: ToolResultPart['content'][number][] = []
  for (const part of readContent(item.output, `${field}.output`)) {
    if (part.type === 'audio') refuseFeature('feature.audio-in-result')
    content.push(part)
  }
  return { type: 'tool-result', callId, name: names.get(callId) ?? asText(item.name), content }
}

/** Items one after the other that belong to one turn become one message. */
class ConversationBuilder {
  readonly system: TextPart[] = []
  readonly messages: { role: Message['role']; parts: Part[] }[] = []
  /** Of the call that comes next. */
  callSignature: Signature | undefined
  #resultsOpen = false

  addSystem(parts: readonly TextPart[]): void {
    if (this.messages.length > 0) return parts.length > 0 ? this.#open('system', parts) : undefined
    for (const part of parts) this.system.push(part)
  }

  addUser(parts: readonly Part[]): void {
    this.#open('user', parts)
  }

  addAssistant(parts: readonly Part[]): void {
    const last = this.messages.at(-1)
    if (last?.role !== 'assistant') return this.#open('assistant', parts)
    for (const part of parts) last.parts.push(part)
  }

  addResult(part: ToolResultPart): void {
    if (this.#resultsOpen) this.messages.at(-1)?.parts.push(part)
    else this.#open('user', [part])
    this.#resultsOpen = true
  }

  takeCallSignature(): Signature | undefined {
    const signature = this.callSignature
    this.callSignature = undefined
    return signature
  }

  #open(role: Message['role'], parts: readonly Part[]): void {
    this.messages.push({ role, parts: [...parts] })
    this.#resultsOpen = false
  }
}
