import { asArray, asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { askForCall, forcedTool } from '../kit/edits/forced-tools.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'
import { versionOf } from './read-version.ts'

/** How a model can be told to think: not at all, on or off, always, or always and in degrees. */
type Thinking = 'never' | 'switch' | 'always' | 'degrees'

const off = { type: 'disabled' }
const degrees = new Map<unknown, string>([
  ['none', 'low'],
  ['minimal', 'low'],
  ['medium', 'high'],
  ['xhigh', 'max'],
])
/** An empty one counts as none. */
const NO_THOUGHT = ' '

function thinkingOf(model: string): Thinking {
  const version = versionOf(model)
  if (version >= 300) return 'degrees'
  if (version >= 207 || /thinking/.test(model)) return 'always'
  return version >= 205 ? 'switch' : 'never'
}

/** Both ways to say how much are never sent together, and only in the words that the model takes. */
export function fitThinking(body: JsonObject, { model }: Destination): Edits | undefined {
  const { thinking, reasoning_effort: effort } = body
  const isOff = asObject(thinking)?.type === 'disabled' || effort === 'none'
  switch (thinkingOf(model)) {
    case 'degrees': {
      const degree = isOff ? 'low' : (degrees.get(effort) ?? effort)
      if (thinking === undefined && degree === effort) return undefined
      return { thinking: undefined, reasoning_effort: degree }
    }
    case 'always':
      if (effort === undefined && !isOff) return undefined
      return { reasoning_effort: undefined, ...(isOff && { thinking: undefined }) }
    case 'switch':
      if (effort === undefined) return undefined
      return { reasoning_effort: undefined, ...(isOff && { thinking: off }) }
    case 'never':
      return effort === undefined ? undefined : { reasoning_effort: undefined }
  }
}

/** While it thinks it cannot be made to call a tool, or only any of them. */
export function fitForcedTool(body: JsonObject, { model }: Destination): Edits | undefined {
  const forced = forcedTool(body)
  if (forced === undefined) return undefined
  switch (thinkingOf(model)) {
    case 'degrees': {
      if (forced === '') return undefined
      const tools = asArray(body.tools).filter(tool => asObject(asObject(tool)?.function)?.name === forced)
      return tools.length === 0 ? undefined : { tools, tool_choice: 'required' }
    }
    case 'always':
      return askForCall(body)
    case 'switch':
      return asObject(body.thinking)?.type === 'disabled' ? undefined : { thinking: off }
    case 'never':
      return undefined
  }
}

/**
 * A call that was made while thinking has to come back with a thought. Clients that keep none, and calls of other
 * models, have none to send.
 */
export function replayThoughts(body: JsonObject, { model }: Destination): Edits | undefined {
  if (!/^(kimi|k\d)/i.test(model) || asObject(body.thinking)?.type === 'disabled') return undefined
  const messages = mapChanged(body.messages, fillThought)
  return messages && { messages }
}

function fillThought(message: Json): Json {
  if (!isObject(message) || asArray(message.tool_calls).length === 0) return message
  return message.reasoning_content ? message : { ...message, reasoning_content: NO_THOUGHT }
}

/** In Anthropic’s dialect: a model that always thinks refuses to be told not to. */
export function leaveThinkingOn({ thinking }: JsonObject, { model }: Destination): Edits | undefined {
  const kind = thinkingOf(model)
  if (asObject(thinking)?.type !== 'disabled' || (kind !== 'always' && kind !== 'degrees')) return undefined
  return { thinking: undefined }
}

/** ... and while it thinks it can be made to call any tool there, not a certain one. */
export function nameOnlyTool({ tools, tool_choice, thinking }: JsonObject): Edits | undefined {
  const choice = asObject(tool_choice)
  if (choice?.type !== 'tool' || asObject(thinking)?.type === 'disabled') return undefined
  const named = asArray(tools).filter(tool => asObject(tool)?.name === choice.name)
  if (named.length === 0) return undefined
  const { name: _, ...rest } = choice
  return { tools: named, tool_choice: { ...rest, type: 'any' } }
}
