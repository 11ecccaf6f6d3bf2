import { asText, type JsonObject } from '../../../server/dialects/json.ts'
import type { Signatures } from '../signatures.ts'

interface Stored {
  /** Answers that can be gone on from, with the calls they wait for. */
  readonly responses: Map<string, readonly string[]>
  /** What can be named instead of sent; of a call the id that its result needs. */
  readonly items: Map<string, string | undefined>
}
const stores = new WeakMap<Signatures, Stored>()

/** One store per set of signatures. */
export function storeOf(signatures: Signatures): Stored {
  const store = stores.get(signatures) ?? { responses: new Map(), items: new Map() }
  stores.set(signatures, store)
  return store
}

export function storeResponse(signatures: Signatures, id: string, items: readonly JsonObject[]): void {
  const store = storeOf(signatures)
  store.responses.set(
    id,
    items.flatMap(item => asText(item.call_id) ?? []),
  )
  for (const item of items) store.items.set(asText(item.id) ?? '', asText(item.call_id))
}
