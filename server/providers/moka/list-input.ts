import type { JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'

/** One text is a list of one there. */
export function listInput({ input }: JsonObject): Edits | undefined {
  return typeof input === 'string' ? { input: [input] } : undefined
}
