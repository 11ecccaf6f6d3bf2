import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import type { StoredIds } from '../watching.ts'

/** What the upstream keeps of a response: later requests may go on from it, or name its items instead of sending them. */
export function storedIds(response: JsonObject): StoredIds | undefined {
  if (response.store === false) return undefined
  const items = asArray(response.output).flatMap(item => asText(asObject(item)?.id) || [])
  return { response: asText(response.id), items }
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
