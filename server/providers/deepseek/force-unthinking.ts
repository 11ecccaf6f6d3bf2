import { asObject, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { forcedTool } from '../kit/edits/forced-tools.ts'

const off = { type: 'disabled' }

/**
 * It thinks unless told not to, and while it thinks it cannot be made to call a tool. Who forces one counts on
 * the call more than on the thoughts.
 */
export function forceUnthinking(body: JsonObject): Edits | undefined {
  if (forcedTool(body) === undefined || asObject(body.thinking)?.type === 'disabled') return undefined
  return { thinking: off, ...(body.reasoning_effort !== undefined && { reasoning_effort: undefined }) }
}

/** The same for clients of Anthropic’s dialect. */
export function forceUnthinkingClaude({ tool_choice, thinking }: JsonObject): Edits | undefined {
  const type = asObject(tool_choice)?.type
  if ((type !== 'any' && type !== 'tool') || asObject(thinking)?.type === 'disabled') return undefined
  return { thinking: off }
}
