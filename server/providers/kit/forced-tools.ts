import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { addSystem } from './add-system.ts'

/** The tool that has to be called, '' for any of them; undefined when none has to be. */
export function forcedTool({ tools, tool_choice }: JsonObject): string | undefined {
  if (asArray(tools).length === 0) return undefined
  if (tool_choice === 'required') return ''
  const choice = asObject(tool_choice)
  return choice?.type === 'function' ? (asText(asObject(choice.function)?.name) ?? '') : undefined
}

/** For vendors that take no other choice than the model's own: it is told, and offered nothing else. */
export function askForCall(body: JsonObject): Edits | undefined {
  const forced = forcedTool(body)
  if (forced === undefined) return undefined
  const named = asArray(body.tools).filter(tool => asObject(asObject(tool)?.function)?.name === forced)
  const words =
    forced === ''
      ? 'You must call one of the tools now instead of answering in text.'
      : `You must call the tool \`${forced}\` now instead of answering in text.`
  return {
    ...(named.length > 0 && { tools: named }),
    tool_choice: 'auto',
    messages: addSystem(asArray(body.messages), words),
  }
}
