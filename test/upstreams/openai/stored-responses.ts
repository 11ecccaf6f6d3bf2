import type { Signatures } from '../signatures.ts'

const stores = new WeakMap<Signatures, Map<string, readonly string[]>>()

/** Answers that can be gone on from, with the calls they wait for. One store per set of signatures. */
export function storeOf(signatures: Signatures): Map<string, readonly string[]> {
  const store = stores.get(signatures) ?? new Map<string, readonly string[]>()
  stores.set(signatures, store)
  return store
}
