import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'

const fixed = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const

/** From kimi-k2.5 on the vendor sets these and refuses other values. */
export function leaveSamplingUnset(body: JsonObject, to: Destination): Edits | undefined {
  if (!hasFixedSampling(to.model)) return undefined
  const edits: Edits = {}
  for (const field of fixed) if (body[field] !== undefined) edits[field] = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}

function hasFixedSampling(model: string): boolean {
  const version = /^kimi-k(\d+)(?:\.(\d+))?/.exec(model)
  if (!version) return false
  const generation = Number(version[1])
  return generation > 2 || (generation === 2 && Number(version[2] ?? 0) >= 5)
}
