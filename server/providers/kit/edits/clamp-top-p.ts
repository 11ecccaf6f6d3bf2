import { asNumber, type JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'

/** For vendors that take top_p strictly between 0 and 1. */
export function clampTopP(body: JsonObject): Edits | undefined {
  const topP = asNumber(body.top_p)
  if (topP === undefined || (topP > 0 && topP < 1)) return undefined
  return { top_p: topP <= 0 ? 0.01 : 0.99 }
}
