import type { JsonObject } from '../json.ts'
import type { CacheMark } from '../spec.ts'

/** More are a 400. The last ones cover the longest prefixes, so those are kept. */
const MOST_MARKS = 4

/** The cache marks of one request, in the order of the prompt: tools, system, messages. */
export class CacheMarks {
  readonly #marked: JsonObject[] = []

  mark(block: JsonObject, cache: CacheMark | undefined): JsonObject {
    if (cache === undefined) return block
    block.cache_control = cache === 'hour' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
    this.#marked.push(block)
    return block
  }

  keepLast(): void {
    for (const block of this.#marked.slice(0, -MOST_MARKS)) delete block.cache_control
  }
}
