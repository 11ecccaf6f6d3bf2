import { decodeCallId, decodeSignature } from '../../../dialects/anthropic/foreign-signature.ts'
import { writeCallId } from '../../../dialects/anthropic/write-blocks.ts'
import { asArray, asText, isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Destination, Edits } from '../../define.ts'
import { mapChanged } from './map-changed.ts'

/**
 * What other vendors' models left in a conversation of an Anthropic client is a 400 at the vendor: thoughts
 * and calls that carry a mark of ours, and for Claude thoughts that nobody signed. Which of its models signed
 * one cannot be told from here; if that is what the vendor minds, none of them goes.
 */
export function leaveOutForeign(body: JsonObject, to: Destination): Edits | undefined {
  if (!Array.isArray(body.messages)) return undefined
  const isClaude = to.model.toLowerCase().includes('claude')
  const isOut = (block: Json): boolean =>
    isForeign(block, isClaude) || (to.withoutThoughts === true && isThought(block))
  const messages: Json[] = []
  let changed = false
  for (const message of body.messages) {
    const kept = leaveOutOfMessage(message, isClaude, isOut)
    if (kept !== message) changed = true
    if (kept !== undefined) messages.push(kept)
  }
  if (!changed) return undefined
  return mayThink(body, messages) ? { messages } : { messages, thinking: undefined }
}

/** Undefined when nothing is left of it. */
function leaveOutOfMessage(
  message: Json,
  isClaude: boolean,
  isOut: (block: Json) => boolean,
): Json | undefined {
  if (!isObject(message) || !Array.isArray(message.content)) return message
  const { content } = message
  const own = content.some(isOut) ? content.filter(block => !isOut(block)) : content
  if (own.length === 0 && own !== content) return undefined
  const unmarked = mapChanged(own, block => leaveOutMark(block, isClaude)) ?? own
  return unmarked === content ? message : { ...message, content: unmarked }
}

function isForeign(block: Json, isClaude: boolean): boolean {
  if (!isObject(block)) return false
  if (block.type === 'redacted_thinking') return isMarked(block.data)
  if (block.type !== 'thinking') return false
  return isMarked(block.signature) || (isClaude && block.signature === '')
}

function isThought(block: Json): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
}

function isMarked(text: Json | undefined): boolean {
  const signature = decodeSignature(asText(text))
  return signature !== undefined && signature.by !== 'anthropic'
}

/** Claude refuses ids with characters that other vendors put there. */
function leaveOutMark(block: Json, isClaude: boolean): Json {
  if (!isObject(block)) return block
  const name = block.type === 'tool_use' ? 'id' : block.type === 'tool_result' ? 'tool_use_id' : undefined
  const given = name && asText(block[name])
  if (!name || !given) return block
  const { id: own } = decodeCallId(given)
  const id = isClaude ? writeCallId(own) : own
  return id === given ? block : { ...block, [name]: id }
}

/** With a budget, a turn under way has to begin with what was thought in it. */
function mayThink({ thinking }: JsonObject, messages: readonly Json[]): boolean {
  if (!isObject(thinking) || thinking.type !== 'enabled') return true
  if (!contentOf(messages.at(-1)).some(block => isObject(block) && block.type === 'tool_result')) return true
  const [first] = contentOf(messages.at(-2))
  return first !== undefined && isThought(first)
}

function contentOf(message: Json | undefined): readonly Json[] {
  return isObject(message) ? asArray(message.content) : []
}
