import { asText, type JsonObject } from '../json.ts'
import type { StoredIds } from '../watching.ts'

/** As it may stand in the address under which it is asked after. */
const interactionId = /^[\w=-]{1,200}$/

export function isInteractionId(id: string): boolean {
  return interactionId.test(id)
}

/** What was made is stored as a whole: nothing in it has a name of its own. */
export function storedIds({ id }: JsonObject): StoredIds | undefined {
  const response = asText(id)
  return response && isInteractionId(response) ? { response, items: [] } : undefined
}
