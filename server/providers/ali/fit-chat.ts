import { asArray, asObject, isObject, type JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { clampTopP } from '../kit/edits/clamp-top-p.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { askForCall, forcedTool } from '../kit/edits/forced-tools.ts'
import { leaveOutSearch } from '../kit/edits/leave-out-search.ts'
import { leaveOutUnproven } from '../kit/edits/leave-out-unproven.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'

/** What an OpenAI body must have otherwise in compatible mode. */
export const fitChat = editBody(
  developerToSystem,
  clampTopP,
  nameLimit,
  narrowTools,
  nameOnlyTool,
  switchThinking,
  forceUnthinking,
  leaveOutSearch(() => true),
)

/** The same for a body of Responses. */
export const fitResponses = editBody(leaveOutUnproven, renameDeveloper)

function renameDeveloper(body: JsonObject): Edits | undefined {
  const input = mapChanged(body.input, item =>
    isObject(item) && item.role === 'developer' ? { ...item, role: 'system' } : item,
  )
  return input && { input }
}

function nameLimit({ max_completion_tokens, max_tokens }: JsonObject): Edits | undefined {
  if (max_completion_tokens === undefined) return undefined
  return { max_completion_tokens: undefined, max_tokens: max_tokens ?? max_completion_tokens }
}

/** A call can be forced by the name of its tool only. */
function nameOnlyTool({ tool_choice, tools }: JsonObject): Edits | undefined {
  const [only, second] = asArray(tools)
  const name = asObject(asObject(only)?.function)?.name
  if (tool_choice !== 'required' || second !== undefined || name === undefined) return undefined
  return { tool_choice: { type: 'function', function: { name } } }
}

/** Thinking is a switch; from 3.8 on it has degrees too. */
function switchThinking(body: JsonObject, { model }: Pick<Destination, 'model'>): Edits | undefined {
  const { reasoning_effort: effort, enable_thinking } = body
  if (typeof effort !== 'string' || enable_thinking !== undefined) return undefined
  if (effort === 'none') return { reasoning_effort: undefined, enable_thinking: false }
  if (!knowsDegrees(model)) return { reasoning_effort: undefined, enable_thinking: true }
  // The most it knows is called so; and how much is said by a word or by a number, not by both.
  const isBoth = body.thinking_budget !== undefined
  if (effort !== 'max' && !isBoth) return undefined
  return {
    reasoning_effort: effort === 'max' ? 'xhigh' : effort,
    ...(isBoth && { thinking_budget: undefined }),
  }
}

/** Nobody can make it call a tool while it thinks, which newer models do unless told not to. */
function forceUnthinking(body: JsonObject, { model }: Pick<Destination, 'model'>): Edits | undefined {
  if (forcedTool(body) === undefined) return undefined
  if (alwaysThinks(model)) return askForCall(body)
  return { enable_thinking: false, reasoning_effort: undefined, thinking_budget: undefined }
}

function alwaysThinks(model: string): boolean {
  return /^(qwq|qvq)|-thinking/i.test(model)
}

function knowsDegrees(model: string): boolean {
  const [, major, minor = 0] = /^qwen(\d+)(?:\.(\d+))?/i.exec(model) ?? []
  return major !== undefined && Number(major) * 100 + Number(minor) >= 308
}

/** Open models that think, and those that hear and speak, refuse to answer otherwise than in a stream. */
export function onlyStreams(model: string): boolean {
  return /^(qwq|qvq|qwen3-\d|qwen[\w.-]*-omni)/i.test(model)
}
