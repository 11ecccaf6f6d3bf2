import { findMerged, NONE, type TokenTables } from './token-tables.ts'

/**
 * Byte pair encoding over a table of pairs: which two tokens make which third. The package's own encoder looks
 * every candidate up by its bytes, which is six times slower for Chinese, and leans on a cache whose words each
 * keep the whole text alive that they were cut from.
 */
export class PairMerger {
  readonly #tables: TokenTables
  /** The parts of the word, and what each makes with the next. */
  #parts = new Int32Array(1024)
  #ranks = new Int32Array(1024)

  constructor(tables: TokenTables) {
    this.#tables = tables
  }

  /** How many tokens the first `length` bytes are, when they are one word. Takes the square of their number. */
  merge(bytes: Uint8Array, length: number): number {
    let count = length
    this.#fillParts(bytes, count)
    const tables = this.#tables
    const parts = this.#parts
    const ranks = this.#ranks
    for (;;) {
      const at = findLowest(ranks, count - 1)
      if (at < 0) return count
      const token = ranks[at] ?? NONE
      parts[at] = token
      count--
      for (let next = at + 1; next < count; next++) {
        parts[next] = parts[next + 1] ?? 0
        ranks[next] = ranks[next + 1] ?? NONE
      }
      if (at + 1 < count) ranks[at] = findMerged(tables, token, parts[at + 1] ?? 0)
      if (at > 0) ranks[at - 1] = findMerged(tables, parts[at - 1] ?? 0, token)
    }
  }

  /** Of what was merged last. */
  partAt(place: number): number {
    return this.#parts[place] ?? NONE
  }

  #fillParts(bytes: Uint8Array, count: number): void {
    if (count > this.#parts.length) {
      this.#parts = new Int32Array(count * 2)
      this.#ranks = new Int32Array(count * 2)
    }
    const tables = this.#tables
    const parts = this.#parts
    for (let at = 0; at < count; at++) parts[at] = tables.tokenOfByte[bytes[at] ?? 0] ?? 0
    for (let at = 0; at + 1 < count; at++)
      this.#ranks[at] = findMerged(tables, parts[at] ?? 0, parts[at + 1] ?? 0)
  }
}

function findLowest(ranks: Int32Array, pairs: number): number {
  let lowest = NONE
  let found = -1
  for (let at = 0; at < pairs; at++) {
    const rank = ranks[at] ?? NONE
    if (rank < lowest) {
      lowest = rank
      found = at
    }
  }
  return found
}
