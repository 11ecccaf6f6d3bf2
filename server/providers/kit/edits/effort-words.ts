import type { JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'

const words = new Map([
  ['minimal', 'low'],
  ['medium', 'high'],
  ['xhigh', 'max'],
])

/** For vendors whose `reasoning_effort` is low, high or max, and who say `none` with a field of its own. */
export function threeEffortWords(body: JsonObject): Edits | undefined {
  const effort = body.reasoning_effort
  if (typeof effort !== 'string') return undefined
  if (effort === 'none') return { reasoning_effort: undefined, thinking: { type: 'disabled' } }
  const word = words.get(effort)
  return word === undefined ? undefined : { reasoning_effort: word }
}
