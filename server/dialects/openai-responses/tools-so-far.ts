import { asObject, type JsonObject } from '../json.ts'
import type { ToolUse } from '../usage.ts'
import type { StoredIds } from '../watching.ts'
import { containersIn } from './ran-in.ts'
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

  /** Where code was run is there for a while, whether or not the answer comes to its end. */
  get stored(): StoredIds | undefined {
    const containers = this.#items && containersIn(this.#items)
    return containers && { response: undefined, items: [], containers }
  }

  /** An item that is done. Only what is counted of it is kept: a picture would be large. */
  note(item: JsonObject | undefined): void {
    if (!item || !tellsTool(item)) return
    const { id, type, action, container_id, environment, status } = item
    const noted = { id, type, action: { type: asObject(action)?.type }, container_id, environment, status }
    this.#items ??= []
    // A picture is told of while it is made, and when it is.
    const at = type === 'image_generation_call' ? this.#items.findIndex(one => one.id === id) : -1
    if (at >= 0) this.#items[at] = noted
    else if (this.#items.length < MOST_ITEMS) this.#items.push(noted)
  }
}
