import type { Json } from '../json.ts'

const DEEPEST = 128

/** Writing tens of thousands of levels takes seconds and then fails; no tool nests like that. */
export function isTooDeep(value: Json | undefined, left = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const inner of Object.values(value)) if (isTooDeep(inner, left - 1)) return true
  return false
}
