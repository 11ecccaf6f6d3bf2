import type { Kysely } from 'kysely'
import type { Topic } from '../store/bus/bus.ts'
import type { Schema } from '../store/schema.ts'

/** Who changes a table by hand raises no revision. */
const LONGEST_MS = 60_000

/**
 * What was read of a topic's rows, until one of them changes: every change raises the topic's revision in its own
 * transaction, whichever process makes it, so no other word of it is needed.
 */
export class KeptUntilChanged<Key, Value> {
  readonly #db: Kysely<Schema>
  readonly #topic: Topic
  readonly #most: number
  #known = new Map<Key, Value>()
  #revision: number | undefined
  #until = 0

  constructor(db: Kysely<Schema>, topic: Topic, most: number) {
    this.#db = db
    this.#topic = topic
    this.#most = most
  }

  /** What is read from now on may be put into it: after a change there is another. */
  async known(): Promise<Map<Key, Value>> {
    const row = await this.#db
      .selectFrom('revisions')
      .select('version')
      .where('topic', '=', this.#topic)
      .executeTakeFirst()
    const revision = row?.version ?? 0
    const now = performance.now()
    if (revision !== this.#revision || now > this.#until || this.#known.size > this.#most) {
      this.#known = new Map()
      this.#revision = revision
      this.#until = now + LONGEST_MS
    }
    return this.#known
  }
}
