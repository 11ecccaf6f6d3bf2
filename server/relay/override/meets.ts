import type { Condition, Conditions } from '../../../contract/override/operations.ts'
import type { Json } from '../../dialects/json.ts'

/** Whether the conditions of an operation hold; `read` tells what stands at a place. */
export function meets(
  { all, each }: Conditions,
  read: (path: Condition['path']) => Json | undefined,
): boolean {
  const holds = (condition: Condition): boolean => {
    const found = read(condition.path)
    if (found === undefined) return condition.holdsWithout
    return compare(found, condition) !== condition.inverted
  }
  return all ? each.every(holds) : each.some(holds)
}

function compare(found: Json, { mode, value }: Condition): boolean {
  if (typeof value === 'number' && mode !== 'full') {
    if (typeof found !== 'number') return false
    if (mode === 'gt') return found > value
    if (mode === 'gte') return found >= value
    return mode === 'lt' ? found < value : found <= value
  }
  if (mode === 'full') return found === value
  if (mode === 'contains' && Array.isArray(found)) return found.some(one => one === value)
  const text = typeof found === 'object' ? undefined : String(found)
  if (text === undefined) return false
  if (mode === 'prefix') return text.startsWith(String(value))
  return mode === 'suffix' ? text.endsWith(String(value)) : text.includes(String(value))
}
