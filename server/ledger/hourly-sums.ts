import { type Cell, type Column, integer } from '../store/batch/bulk.ts'

/** What every table of hourly sums counts, in the order in which `add` is given it. */
export const sumColumns: readonly Column[] = [
  integer('requests'),
  integer('errors'),
  integer('quota'),
  integer('prompt_tokens'),
  integer('completion_tokens'),
  integer('cost'),
  integer('costed_quota'),
]

export interface Sum {
  readonly key: readonly Cell[]
  readonly counts: number[]
}

/** What a batch adds to the sums of its hours: of each key one row, however many calls have it. */
export class HourlySums {
  readonly #byKey = new Map<string, Sum>()

  get size(): number {
    return this.#byKey.size
  }

  /** Returns what its key has come to. */
  add(key: readonly Cell[], counts: readonly number[]): Sum {
    const name = key.join('\0')
    const known = this.#byKey.get(name)
    if (known) {
      for (const [at, count] of counts.entries()) known.counts[at] = (known.counts[at] ?? 0) + count
      return known
    }
    const sum = { key, counts: [...counts] }
    this.#byKey.set(name, sum)
    return sum
  }

  /** In one order everywhere, so that no two batches wait for each other. */
  inOrder(): Sum[] {
    return [...this.#byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
  }
}

export function rowOf({ key, counts }: Sum): Cell[] {
  return [...key, ...counts]
}
