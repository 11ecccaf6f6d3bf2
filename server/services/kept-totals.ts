import type { Kysely } from 'kysely'
import type { Topic } from '../store/bus/bus.ts'
import type { Schema } from '../store/schema.ts'
import { KeptUntilChanged } from './kept-until-changed.ts'

const MOST_KEPT = 200

/** How many rows a search finds: whoever leafs would wait for the same count with every page. */
export class KeptTotals {
  readonly #kept: KeptUntilChanged<string, number>

  constructor(db: Kysely<Schema>, topic: Topic) {
    this.#kept = new KeptUntilChanged(db, topic, MOST_KEPT)
  }

  /** `search` is all that decides which rows are found. */
  async read(search: readonly unknown[], count: () => Promise<number>): Promise<number> {
    const key = JSON.stringify(search)
    const known = await this.#kept.known()
    const total = known.get(key) ?? (await count())
    known.set(key, total)
    return total
  }
}
