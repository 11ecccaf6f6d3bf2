import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import type { StoredIds } from '../watching.ts'

/** What the upstream keeps of a response: later requests may go on from it, or name its items instead of sending them. */
export function storedIds(response: JsonObject): StoredIds | undefined {
  if (response.store === false) return undefined
  const items = asArray(response.output).flatMap(item => asText(asObject(item)?.id) || [])
  return { response: asText(response.id), items }
}

/** What a request names instead of sending it. The type may be left out, and then there is only the id. */
export function namedItems(request: JsonObject): readonly string[] {
  return asArray(request.input).flatMap(one => {
    const item = asObject(one)
    if (!item || (item.type ?? 'item_reference') !== 'item_reference' || 'role' in item) return []
    return asText(item.id) ?? []
  })
}
