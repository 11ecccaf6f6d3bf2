import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { versionOf } from './read-version.ts'

const fixed = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const

/** From kimi-k2.5 on the vendor sets these and refuses other values. */
export function leaveSamplingUnset(body: JsonObject, to: Destination): Edits | undefined {
  if (versionOf(to.model) < 205) return undefined
  const edits: Edits = {}
  for (const field of fixed) if (body[field] !== undefined) edits[field] = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}
