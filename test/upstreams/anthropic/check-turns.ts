import { asArray, asObject, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Call } from '../upstream.ts'
import { refuseAnthropic } from './fail.ts'
import { type ModelRules, rulesOf } from './model-rules.ts'

interface Turn {
  readonly role: string
  readonly blocks: readonly JsonObject[]
  readonly at: number
}

/** Who speaks when, what a block holds, and that calls and results stand together. */
export function checkTurns(call: Call, model: string): void {
  const rules = rulesOf(model)
  const turns = asArray(call.body.messages).map((one, at) => readTurn(asObject(one) ?? {}, at))
  for (const turn of turns) {
    checkRole(turn, turns[turn.at - 1], rules)
    for (const [index, block] of turn.blocks.entries()) checkBlock(call, turn, block, index, rules)
    checkResults(turn, turns[turn.at - 1])
  }
  if (turns[0]?.role !== 'user') refuseAnthropic('messages: first message must use the "user" role')
  checkEnd(turns, rules)
  if (asObject(call.body.thinking)?.type === 'enabled') checkThoughtKept(turns)
}

function readTurn(message: JsonObject, at: number): Turn {
  const { content } = message
  if (typeof content !== 'string' && !Array.isArray(content))
    refuseAnthropic(`messages.${at}.content: Field required`)
  const blocks: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return { role: asText(message.role) ?? '', blocks: blocks.map(one => asObject(one) ?? {}), at }
}

function checkRole(turn: Turn, before: Turn | undefined, rules: ModelRules): void {
  if (turn.role === 'system') {
    if (!rules.systemInside)
      refuseAnthropic(
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      )
    if (before?.role !== 'user')
      refuseAnthropic(`messages.${turn.at}: a system message must follow a user message`)
    return
  }
  if (turn.role !== 'user' && turn.role !== 'assistant')
    refuseAnthropic(`messages.${turn.at}.role: Input should be 'user' or 'assistant'`)
}

const MEDIA = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const USER_BLOCKS = ['text', 'image', 'document', 'tool_result', 'search_result', 'container_upload']

function checkBlock(call: Call, turn: Turn, block: JsonObject, index: number, rules: ModelRules): void {
  const where = `messages.${turn.at}.content.${index}`
  const type = asText(block.type) ?? ''
  if (turn.role === 'user' ? !USER_BLOCKS.includes(type) : ['image', 'tool_result'].includes(type))
    refuseAnthropic(
      `${where}: Input tag '${type}' found using 'type' does not match any of the expected tags`,
    )
  if (type === 'text') checkText(block.text, where)
  if (type === 'image') checkImage(asObject(block.source), where)
  if (type === 'tool_use') {
    if (!/^[a-zA-Z0-9_-]+$/.test(asText(block.id) ?? ''))
      refuseAnthropic(`${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
    if (asObject(block.input) === undefined)
      refuseAnthropic(`${where}.tool_use.input: Input should be a valid dictionary`)
  }
  if (type === 'tool_result')
    for (const part of asArray(block.content))
      if (asObject(part)?.type === 'text') checkText(asObject(part)?.text, where)
      else if (asObject(part)?.type === 'image') checkImage(asObject(asObject(part)?.source), where)
  if (type === 'thinking') checkThinking(call, block, where, rules)
  if (type === 'redacted_thinking' && call.signatures.find(asText(block.data) ?? '')?.text !== 'redacted')
    refuseAnthropic(`${where}: Invalid \`data\` in \`redacted_thinking\` block`)
}

function checkText(text: Json | undefined, where: string): void {
  if (typeof text !== 'string') refuseAnthropic(`${where}.text.text: Field required`)
  if (text === '') refuseAnthropic('messages: text content blocks must be non-empty')
  if (text.trim() === '') refuseAnthropic('messages: text content blocks must contain non-whitespace text')
}

function checkImage(source: JsonObject | undefined, where: string): void {
  if (source?.type === 'url') {
    if (!/^https?:\/\//.test(asText(source.url) ?? ''))
      refuseAnthropic(`${where}.image.source.url.url: invalid URL`)
    return
  }
  if (source?.type !== 'base64') return
  if (!MEDIA.includes(asText(source.media_type) ?? ''))
    refuseAnthropic(
      `${where}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    )
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(asText(source.data) ?? ''))
    refuseAnthropic(`${where}.image.source.base64.data: invalid base64 data`)
  const known = STARTS.find(([start]) => asText(source.data)?.startsWith(start))?.[1]
  if (known !== undefined && known !== source.media_type)
    refuseAnthropic(
      `${where}.image.source.base64: The image was specified using the ${source.media_type} media type, but the image appears to be a ${known} image`,
    )
}

/** How pictures begin in base64. */
const STARTS: readonly (readonly [string, string])[] = [
  ['/9j/', 'image/jpeg'],
  ['iVBORw0KGgo', 'image/png'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

function checkThinking(call: Call, block: JsonObject, where: string, rules: ModelRules): void {
  if (typeof block.signature !== 'string') refuseAnthropic(`${where}.thinking.signature: Field required`)
  const issued = call.signatures.find(block.signature)
  if (issued === undefined || (rules.boundThoughts && issued.model !== call.body.model))
    refuseAnthropic(`${where}: Invalid \`signature\` in \`thinking\` block`)
  if (issued.text !== block.thinking)
    refuseAnthropic(
      `${where}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    )
}

/** Results stand first in the turn after their calls, and all of them do. */
function checkResults(turn: Turn, before: Turn | undefined): void {
  const called = (before?.role === 'assistant' ? before.blocks : [])
    .filter(block => block.type === 'tool_use')
    .map(block => asText(block.id) ?? '')
  const firstOther = turn.blocks.findIndex(block => block.type !== 'tool_result')
  const leading = firstOther < 0 ? turn.blocks : turn.blocks.slice(0, firstOther)
  const answered = new Set(leading.map(block => asText(block.tool_use_id) ?? ''))
  const missing = called.filter(id => !answered.has(id))
  if (missing.length > 0) refuseMissing(turn.at - 1, missing)
  for (const [index, block] of turn.blocks.entries()) {
    const id = asText(block.tool_use_id) ?? ''
    if (block.type === 'tool_result' && !called.includes(id))
      refuseAnthropic(
        `messages.${turn.at}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
  }
}

function refuseMissing(at: number, ids: readonly string[]): never {
  refuseAnthropic(
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  )
}

function checkEnd(turns: readonly Turn[], rules: ModelRules): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return
  const open = last.blocks.filter(block => block.type === 'tool_use')
  if (open.length > 0)
    refuseMissing(
      last.at,
      open.map(block => asText(block.id) ?? ''),
    )
  if (!rules.prefills)
    refuseAnthropic(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  const text = asText(last.blocks.at(-1)?.text) ?? ''
  if (text !== text.trimEnd())
    refuseAnthropic('messages: final assistant content cannot end with trailing whitespace')
}

/** With a budget for thinking, the turn that called tools has to begin with what was thought. */
function checkThoughtKept(turns: readonly Turn[]): void {
  const last = turns.at(-1)
  const before = turns.at(-2)
  if (before === undefined || !last?.blocks.some(block => block.type === 'tool_result')) return
  const type = asText(before.blocks[0]?.type) ?? ''
  if (type !== 'thinking' && type !== 'redacted_thinking')
    refuseAnthropic(
      `messages.${before.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
    )
}
