import { isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Destination, Edits } from '../../define.ts'
import { mapChanged } from '../edits/map-changed.ts'

/** Documented by Google for calls that did not come from Gemini. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

/**
 * From 3 on Gemini answers 400 when the first call of a turn has no signature. One that another model made
 * has none: a client that changed the model in the middle could not go on.
 */
export function signCalls(body: JsonObject, to: Destination): Edits | undefined {
  if (/gemini-[12](\.|-)/.test(to.model)) return undefined
  const contents = mapChanged(body.contents, signTurn)
  return contents && { contents }
}

function signTurn(content: Json): Json {
  if (!isObject(content) || content.role !== 'model' || !Array.isArray(content.parts)) return content
  const at = content.parts.findIndex(isCall)
  const first = content.parts[at]
  if (!isObject(first) || first.thoughtSignature || first.thought_signature) return content
  const { thought_signature: _, ...call } = first
  return { ...content, parts: content.parts.with(at, { ...call, thoughtSignature: NO_SIGNATURE }) }
}

function isCall(part: Json): boolean {
  return isObject(part) && (isObject(part.functionCall) || isObject(part.function_call))
}
