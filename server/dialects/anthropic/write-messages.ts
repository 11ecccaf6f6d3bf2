import { asText, type JsonObject } from '../json.ts'
import { refuseFeature } from '../refuse.ts'
import type { Message, Part, TextPart } from '../spec.ts'
import type { CacheMarks } from './cache-marks.ts'
import type { ModelRules } from './model-rules.ts'
import { listCalls, pairToolResults, type Turn } from './pair-tool-results.ts'
import { writeAssistantBlocks, writeTextBlock, writeUserBlocks } from './write-blocks.ts'

const OPENING = '(continue)'

interface OpenTurn extends Turn {
  readonly content: JsonObject[]
}

export interface Conversation {
  readonly turns: readonly Turn[]
  /** System texts of the conversation that the model takes at the top only. */
  readonly movedSystem: readonly TextPart[]
}

export function writeConversation(
  messages: readonly Message[],
  rules: ModelRules,
  marks: CacheMarks,
): Conversation {
  const turns: OpenTurn[] = []
  const movedSystem: TextPart[] = []
  for (const message of messages) {
    if (message.role === 'system' && !takesSystem(turns, rules)) {
      for (const part of message.parts) if (part.type === 'text') movedSystem.push(part)
    } else {
      addTurn(turns, message.role, writeBlocks(message, rules, marks))
      // What the assistant showed has no place in its turn: the user shows it.
      if (message.role === 'assistant')
        addTurn(turns, 'user', writeUserBlocks(message.parts.filter(isMedia), marks))
    }
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [{ type: 'text', text: OPENING }] })
  return { turns: endConversation(pairToolResults(turns), rules), movedSystem }
}

function isMedia({ type }: Part): boolean {
  return type === 'image' || type === 'file' || type === 'audio'
}

/**
 * Old models that are to think refuse a turn under way that began without thoughts: the last assistant turn,
 * when only the results of its calls, or nothing, came after it.
 */
export function mayTakeUpThinking(turns: readonly Turn[]): boolean {
  const at = turns.findLastIndex(turn => turn.role === 'assistant')
  const next = turns[at + 1]
  if (at < 0 || (next !== undefined && next.content[0]?.type !== 'tool_result')) return true
  const first = turns[at]?.content[0]?.type
  return first === 'thinking' || first === 'redacted_thinking'
}

function writeBlocks(message: Message, rules: ModelRules, marks: CacheMarks): readonly JsonObject[] {
  if (message.role === 'assistant') return writeAssistantBlocks(message.parts, marks, !rules.isClaude)
  if (message.role === 'user') return writeUserBlocks(message.parts, marks)
  return message.parts.flatMap(part => (part.type === 'text' ? writeTextBlock(part, marks) : []))
}

/** A system turn stands right after a user turn, and never between a call and its results. */
function takesSystem(turns: readonly Turn[], rules: ModelRules): boolean {
  const last = turns.at(-1)
  if (!rules.midSystem || last === undefined || last.role === 'assistant') return false
  if (last.role === 'system') return true
  const before = turns.at(-2)
  if (before === undefined || before.role !== 'assistant') return true
  const open = listCalls(before)
  for (const block of last.content) open.delete(asText(block.tool_use_id) ?? '')
  return open.size === 0
}

/** A turn goes on while its role does: of many messages none is copied more than once. */
function addTurn(turns: OpenTurn[], role: Turn['role'], content: readonly JsonObject[]): void {
  if (content.length === 0) return
  const last = turns.at(-1)
  if (last?.role !== role) turns.push({ role, content: [...content] })
  else for (const block of content) last.content.push(block)
}

function endConversation(turns: readonly Turn[], rules: ModelRules): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return turns
  if (!rules.prefill) refuseFeature('feature.prefill')
  const block = last.content.at(-1)
  const text = asText(block?.text)
  if (block === undefined || text === undefined) return turns
  // A last assistant text that ends in white space is a 400.
  const trimmed = { ...last, content: [...last.content.slice(0, -1), { ...block, text: text.trimEnd() }] }
  return [...turns.slice(0, -1), trimmed]
}
