import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import type { StoredIds } from '../watching.ts'
import { containersIn } from './ran-in.ts'

/** What the upstream keeps of a response: later requests may go on from it, or name its items instead of sending them. */
export function storedIds(response: JsonObject): StoredIds | undefined {
  const containers = containersIn(asArray(response.output))
  // Where code was run is there for a while, whatever else is not to be kept.
  if (response.store === false) return containers && { response: undefined, items: [], containers }
  const items = asArray(response.output).flatMap(item => asText(asObject(item)?.id) || [])
  const stored = { response: asText(response.id), items }
  return containers ? { ...stored, containers } : stored
}

/**
 * Where a request says that code was run before: as long as that is there, its vendor goes on in it by itself. Undefined
 * for most.
 */
export function containersMet({ input }: JsonObject): readonly string[] | undefined {
  let found: Set<string> | undefined
  for (const value of asArray(input)) {
    const item = asObject(value)
    const id = asText(item?.container_id) || asText(asObject(item?.environment)?.container_id)
    if (!id) continue
    found ??= new Set()
    found.add(id)
  }
  return found && [...found]
}

/**
 * What a request names instead of sending it. The type may be left out, and then there is only the id. A thought
 * without its seal is only named too: OpenAI's own agents send it so, and who does not keep it knows none by that id.
 */
export function namedItems(request: JsonObject): readonly string[] {
  return asArray(request.input).flatMap(one => {
    const item = asObject(one)
    if (!item || 'role' in item) return []
    const isNamed = (item.type ?? 'item_reference') === 'item_reference'
    const isUnsealed = item.type === 'reasoning' && !item.encrypted_content
    return isNamed || isUnsealed ? (asText(item.id) ?? []) : []
  })
}
