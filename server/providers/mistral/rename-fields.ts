import type { JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'

/** The vendor's words for what OpenAI calls otherwise. The old names fall to the list of known fields. */
export function renameChatFields(body: JsonObject): Edits | undefined {
  const edits: Edits = {}
  if (body.max_completion_tokens !== undefined) edits.max_tokens = body.max_completion_tokens
  if (body.seed !== undefined && body.random_seed === undefined) edits.random_seed = body.seed
  if (body.tool_choice === 'required') edits.tool_choice = 'any'
  return Object.keys(edits).length > 0 ? edits : undefined
}

export function renameEmbeddingFields(body: JsonObject): Edits | undefined {
  if (body.dimensions === undefined || body.output_dimension !== undefined) return undefined
  return { output_dimension: body.dimensions }
}
