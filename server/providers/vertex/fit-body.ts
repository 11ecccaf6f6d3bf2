import { asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { mapChanged } from '../kit/map-changed.ts'
import { claudeName } from './address.ts'

/** The model stands in the address; the version, elsewhere a header, in the body. */
export function fitClaude(): Edits {
  return { model: undefined, anthropic_version: 'vertex-2023-10-16' }
}

/** Only the address of counting is the same for all models. */
export function fitClaudeCount(_body: JsonObject, to: Destination): Edits {
  return { model: claudeName(to), anthropic_version: 'vertex-2023-10-16' }
}

/** The wrapper is the Developer API's alone. */
export function unwrapCount(body: JsonObject): Edits | undefined {
  const inner = asObject(body.generateContentRequest)
  if (!inner) return undefined
  const { model: _, ...rest } = inner
  return { ...rest, generateContentRequest: undefined }
}

/** Calls and results are matched by their order here; ids are unknown fields to many of its models. */
export function leaveOutCallIds(body: JsonObject): Edits | undefined {
  const contents = mapChanged(body.contents, content => {
    if (!isObject(content)) return content
    const parts = mapChanged(content.parts, leaveOutId)
    return parts ? { ...content, parts } : content
  })
  return contents && { contents }
}

const holders = ['functionCall', 'functionResponse', 'function_call', 'function_response'] as const

function leaveOutId(part: Json): Json {
  if (!isObject(part)) return part
  for (const name of holders) {
    const held = asObject(part[name])
    if (held?.id === undefined) continue
    const { id: _, ...rest } = held
    return { ...part, [name]: rest }
  }
  return part
}
