/**
 * Rows that are kept carry their text with them, once it is written. A WeakMap would do, but the garbage collector
 * goes through all entries of one each time, while every stream waits.
 */
export const keptText = Symbol('kept text')

/** Of one row, or of rows that follow one another wherever they are kept: tens of thousands are soon put together. */
export class KeptText {
  /** What it was written by: what one call may tell, another may not. */
  schema: unknown
  text = ''
  #first: unknown
  #last: unknown
  #rows = 0

  /** For each of several rows, in their order; one alone need not be added. */
  add(row: unknown): void {
    this.#first ??= row
    this.#last = row
    this.#rows++
  }

  /** How many rows of a list from a place on it is of; 0 where they are not all there. */
  rowsAt(list: readonly unknown[], at: number): number {
    if (this.#rows === 0) return 1
    const isWhole = list[at] === this.#first && list[at + this.#rows - 1] === this.#last
    return isWhole ? this.#rows : 0
  }
}

export function keptTextOf(row: unknown): KeptText | undefined {
  if (typeof row !== 'object' || row === null || !(keptText in row)) return undefined
  const kept = row[keptText]
  return kept instanceof KeptText ? kept : undefined
}
