import { isObject, type Json } from '../../dialects/json.ts'

type Having = readonly (readonly [string, unknown])[]

/** Bodies may be deeper than anything can be called inside itself. */
const DEEPEST = 64

/** The same without those entries of its lists that have all of this. */
export function pruneObjects(value: Json | undefined, having: Having, depth = 0): Json | undefined {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) {
    const kept = value.filter(entry => !hasAll(entry, having))
    const pruned = kept.map(entry => pruneObjects(entry, having, depth + 1) ?? null)
    const isSame = pruned.length === value.length && pruned.every((entry, at) => entry === value[at])
    return isSame ? value : pruned
  }
  if (!isObject(value)) return value
  const before = Object.entries(value)
  const after = before.map(([name, inner]) => [name, pruneObjects(inner, having, depth + 1)] as const)
  return after.every(([, inner], at) => inner === before[at]?.[1]) ? value : Object.fromEntries(after)
}

function hasAll(entry: Json, having: Having): boolean {
  return (
    isObject(entry) && having.every(([name, value]) => Object.hasOwn(entry, name) && entry[name] === value)
  )
}
