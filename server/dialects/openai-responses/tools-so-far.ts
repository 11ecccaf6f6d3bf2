import { asObject, type JsonObject } from '../json.ts'
import type { ToolUse } from '../usage.ts'
import { readItemsSoFar, tellsTool } from './read-tool-use.ts'

/** No answer has more that matter. */
const MOST_ITEMS = 1000

export const ITEM_DONE = 'response.output_item.done'

/** The vendor's own tools in a stream that may not come to its end. */
export class ToolsSoFar {
  #items: JsonObject[] | undefined

  get toolUse(): ToolUse | undefined {
    return this.#items && readItemsSoFar(this.#items)
  }

  /** An item that is done. Only what is counted of it is kept: a picture would be large. */
  note(item: JsonObject | undefined): void {
    if (!item || !tellsTool(item)) return
    const { type, action, container_id, status } = item
    this.#items ??= []
    if (this.#items.length < MOST_ITEMS)
      this.#items.push({ type, action: { type: asObject(action)?.type }, container_id, status })
  }
}
