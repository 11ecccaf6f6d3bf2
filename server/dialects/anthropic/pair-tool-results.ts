import { asArray, asText, isObject, type JsonObject } from '../json.ts'
import { NO_RESULT } from './write-blocks.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/**
 * Every call must be answered in the very next turn, once, results first. A call without a result gets one
 * that says so; a result without its call is shown to the model as plain content.
 */
export function pairToolResults(turns: readonly Turn[]): readonly Turn[] {
  const paired: Turn[] = []
  let open = new Set<string>()
  for (const turn of turns) {
    if (turn.role === 'user') {
      paired.push({ role: 'user', content: answerCalls(turn.content, open) })
    } else {
      if (open.size > 0) paired.push({ role: 'user', content: answerCalls([], open) })
      paired.push(turn)
    }
    open = turn.role === 'assistant' ? listCalls(turn) : new Set()
  }
  if (open.size > 0) paired.push({ role: 'user', content: answerCalls([], open) })
  return paired
}

export function listCalls(turn: Turn): Set<string> {
  const ids = new Set<string>()
  for (const block of turn.content) if (block.type === 'tool_use') ids.add(asText(block.id) ?? '')
  return ids
}

function answerCalls(content: readonly JsonObject[], open: ReadonlySet<string>): readonly JsonObject[] {
  const missing = new Set(open)
  const results: JsonObject[] = []
  const rest: JsonObject[] = []
  for (const block of content) {
    if (block.type !== 'tool_result') rest.push(block)
    else if (missing.delete(asText(block.tool_use_id) ?? '')) results.push(block)
    else rest.push(...unwrapResult(block))
  }
  for (const id of missing)
    results.push({ type: 'tool_result', tool_use_id: id, content: NO_RESULT, is_error: true })
  return [...results, ...rest]
}

function unwrapResult(block: JsonObject): readonly JsonObject[] {
  const blocks = asArray(block.content).filter(isObject)
  return blocks.length > 0 ? blocks : [{ type: 'text', text: asText(block.content) || NO_RESULT }]
}
