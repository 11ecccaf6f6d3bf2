import { asArray, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'

/** What is taken elsewhere and a 400 here. */
const unknown = [
  ...['max_output_tokens', 'max_tool_calls', 'temperature', 'top_p', 'top_logprobs', 'truncation'],
  ...['metadata', 'user', 'safety_identifier', 'prompt_cache_retention', 'background', 'stream_options'],
] as const
const INSTRUCTIONS = 'You are a helpful assistant.'
const THOUGHTS = 'reasoning.encrypted_content'

/** Nothing is kept there, so thoughts come sealed; there have to be instructions, and the input is a list. */
export function fitCodex(body: JsonObject): Edits {
  const edits: Edits = { store: false }
  for (const name of unknown) if (body[name] !== undefined) edits[name] = undefined
  if (!body.instructions) edits.instructions = INSTRUCTIONS
  const include = asArray(body.include)
  if (!include.includes(THOUGHTS)) edits.include = [...include, THOUGHTS]
  const input = listInput(body.input)
  if (input !== body.input) edits.input = input
  return edits
}

function listInput(input: Json | undefined): Json | undefined {
  if (typeof input === 'string')
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  return mapChanged(input, item => (isSystem(item) ? { ...item, role: 'developer' } : item)) ?? input
}

/** Instructions are its own; who speaks for the application is the developer. */
function isSystem(item: Json): item is JsonObject {
  return isObject(item) && item.role === 'system'
}
