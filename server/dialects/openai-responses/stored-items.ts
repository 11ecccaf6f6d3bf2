import { asArray, asObject, asText, type JsonObject } from '../json.ts'

/** What the upstream keeps of a response: later requests may name these items instead of sending them. */
export function keptItems(response: JsonObject): readonly string[] {
  if (response.store === false) return []
  return asArray(response.output).flatMap(item => asText(asObject(item)?.id) ?? [])
}

/** What a request names instead of sending it. The type may be left out, and then there is only the id. */
export function namedItems(request: JsonObject): readonly string[] {
  return asArray(request.input).flatMap(one => {
    const item = asObject(one)
    if (!item || (item.type ?? 'item_reference') !== 'item_reference' || 'role' in item) return []
    return asText(item.id) ?? []
  })
}
