import { asArray, asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { clampTopP } from '../kit/edits/clamp-top-p.ts'
import { developerToSystem } from '../kit/edits/developer-to-system.ts'
import { editBody } from '../kit/edits/edit-body.ts'
import { threeEffortWords } from '../kit/edits/effort-words.ts'
import { askForCall } from '../kit/edits/forced-tools.ts'
import { narrowTools } from '../kit/edits/narrow-tools.ts'

/** What an OpenAI body must have otherwise. */
export const fitChat = editBody(
  developerToSystem,
  threeEffortWords,
  narrowTools,
  askForCall,
  offerNone,
  clampTopP,
)

/** It takes no choice but `auto`: that no tool may be called is said by not offering any. */
function offerNone({ tool_choice }: JsonObject): Edits | undefined {
  return tool_choice === 'none' ? { tools: undefined, tool_choice: undefined } : undefined
}

/** What was found is told only to who asks for it, and of a search that found nothing, nothing is. */
export function offersSearch({ tools }: JsonObject): boolean {
  return asArray(tools).some(isSearch)
}

function isSearch(value: Json): boolean {
  const tool = asObject(value)
  if (tool?.type !== 'web_search') return false
  // Its own examples write it as text.
  return String(asObject(tool.web_search)?.enable).toLowerCase() !== 'false'
}
