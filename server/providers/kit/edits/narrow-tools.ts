import { asArray, asObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'

/** Only OpenAI and Azure know a choice among some of the tools; elsewhere only those are offered. */
export function narrowTools(body: JsonObject): Edits | undefined {
  const choice = asObject(body.tool_choice)
  if (choice?.type !== 'allowed_tools') return undefined
  const allowed = asObject(choice.allowed_tools)
  const names = new Set(asArray(allowed?.tools).map(nameOf))
  const tools = asArray(body.tools).filter(tool => names.has(nameOf(tool)))
  if (tools.length === 0) return undefined
  return { tools, tool_choice: allowed?.mode === 'required' ? 'required' : 'auto' }
}

function nameOf(tool: Json): Json | undefined {
  return asObject(asObject(tool)?.function)?.name
}
