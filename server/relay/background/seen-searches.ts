import { searchesOf } from '../../dialects/gemini-interactions/read-usage.ts'
import { asNumber, asObject, type JsonObject } from '../../dialects/json.ts'
import { readFrame } from '../guards/frame.ts'

const searching = /"google_(search|maps)_call"/

/**
 * The steps of an interaction in which it searched, as its events tell them from the first on. How often it did may stand
 * nowhere else, and the event that ends it may leave them out.
 */
export class SeenSearches {
  /** By their numbers: one begins empty. */
  readonly #steps = new Map<number, JsonObject>()

  hear(raw: string): void {
    if (!searching.test(raw)) return
    const event = readFrame(raw).json
    const step = asObject(event?.step) ?? asObject(event?.delta)
    const index = asNumber(event?.index) ?? 0
    if (step && searchesOf(step) > searchesOf(this.#steps.get(index))) this.#steps.set(index, step)
  }

  /** What ends it, with them. */
  addTo(ending: JsonObject): JsonObject {
    if (this.#steps.size === 0 || Array.isArray(ending.steps)) return ending
    return { ...ending, steps: [...this.#steps.values()] }
  }
}
