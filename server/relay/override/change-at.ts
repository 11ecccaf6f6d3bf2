import { indexIn, type Path } from '../../../contract/override/path.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'

/** What becomes of what stands there; undefined takes it away. */
type Change = (value: Json | undefined) => Json | undefined

export function readAt(whole: Json | undefined, path: Path): Json | undefined {
  let value = whole
  for (const part of path) {
    if (Array.isArray(value)) value = value[indexIn(value, part) ?? -1]
    else if (isObject(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

/**
 * The same with one place changed. Nothing is changed where it stands, because other channels may yet be asked for
 * the same: what lies on the way is copied, and the rest is shared.
 */
export function changeAt(whole: Json | undefined, path: Path, change: Change, depth = 0): Json | undefined {
  const part = path[depth]
  if (part === undefined) return change(whole)
  const inner = (value: Json | undefined): Json | undefined => changeAt(value, path, change, depth + 1)
  if (Array.isArray(whole)) return part === '*' ? changeEach(whole, inner) : changeEntry(whole, part, inner)
  if (isObject(whole)) return part === '*' ? changeMembers(whole, inner) : changeMember(whole, part, inner)
  // What is not there is made, as far as a name tells what it is to be.
  const isMissing = whole === undefined || whole === null
  const made = isMissing && part !== '*' && indexIn([], part) === undefined ? inner(undefined) : undefined
  return made === undefined ? whole : { [part]: made }
}

function changeEntry(list: readonly Json[], part: string, change: Change): Json[] {
  const index = indexIn(list, part)
  const isThere = index !== undefined && index >= 0 && index <= list.length
  const next = isThere ? change(list[index]) : undefined
  if (!isThere || next === list[index]) return list as Json[]
  return list.toSpliced(index, 1, ...(next === undefined ? [] : [next]))
}

function changeEach(list: readonly Json[], change: Change): Json[] {
  const next = list.map(change)
  return next.every((value, at) => value === list[at])
    ? (list as Json[])
    : next.filter(value => value !== undefined)
}

function changeMember(object: JsonObject, part: string, change: Change): JsonObject {
  const before = Object.hasOwn(object, part) ? object[part] : undefined
  const next = change(before)
  if (next === before) return object
  if (next !== undefined) return { ...object, [part]: next }
  const { [part]: _, ...others } = object
  return others
}

function changeMembers(object: JsonObject, change: Change): JsonObject {
  const before = Object.entries(object)
  const after = before.map(([name, value]) => [name, change(value)] as const)
  if (after.every(([, value], at) => value === before[at]?.[1])) return object
  return Object.fromEntries(after.filter(([, value]) => value !== undefined))
}
