import { configFixed, configNames, fixedNames, limitNames } from '../../../contract/override/guarded.ts'
import { asObject, type Json, type JsonObject } from '../../dialects/json.ts'

/**
 * A request after its operations, with what its price was reckoned from as it was before them. `isLimited`: the
 * client, or its money, has set how long the answer may be.
 */
export function keepReckoned(before: JsonObject, after: JsonObject, isLimited: boolean): JsonObject {
  if (after === before) return after
  const kept = { ...putBack(before, after, fixedNames) }
  for (const name of configNames) {
    const was = asObject(before[name]) ?? {}
    const is = asObject(kept[name])
    const config = putBack(was, is ?? {}, configFixed)
    if (is ? config !== is : Object.keys(config).length > 0) kept[name] = config
  }
  if (isLimited) keepLimits(before, kept)
  return kept
}

function putBack(before: JsonObject, after: JsonObject, names: readonly string[]): JsonObject {
  const moved = names.filter(name => after[name] !== before[name])
  if (moved.length === 0) return after
  const kept = { ...after }
  for (const name of moved)
    if (before[name] === undefined) delete kept[name]
    else kept[name] = before[name]
  return kept
}

/** May be smaller and go by another name, and is never larger or gone. */
function keepLimits(before: JsonObject, kept: JsonObject): void {
  const most = limitsIn(before).reduce((sum, [, , limit]) => Math.max(sum, limit), 0)
  if (most === 0) return
  const bound = (value: Json | undefined): Json | undefined => {
    if (value === undefined || (typeof value === 'number' && value >= 1 && value <= most)) return value
    return most
  }
  for (const name of limitNames) if (kept[name] !== undefined) kept[name] = bound(kept[name])
  for (const place of configNames) {
    const config = asObject(kept[place])
    if (!config || !limitNames.some(name => config[name] !== undefined)) continue
    const bounded = limitNames.flatMap(name => (name in config ? [[name, bound(config[name])] as const] : []))
    if (bounded.some(([name, value]) => value !== config[name]))
      kept[place] = { ...config, ...Object.fromEntries(bounded) }
  }
  if (limitsIn(kept).length > 0) return
  for (const [place, name, limit] of limitsIn(before))
    if (place === undefined) kept[name] = limit
    else kept[place] = { ...asObject(kept[place]), [name]: limit }
}

/** Each with the object that it is in, and its name. */
function limitsIn(body: JsonObject): (readonly [place: string | undefined, name: string, limit: number])[] {
  return [undefined, ...configNames].flatMap(place => {
    const within = place === undefined ? body : asObject(body[place])
    return limitNames.flatMap(name => {
      const limit = within?.[name]
      return typeof limit === 'number' ? [[place, name, limit] as const] : []
    })
  })
}
