import { GroupCommit } from '../../ledger/group-commit.ts'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { findStored, putStored, type Stored } from '../../store/stored-responses.ts'
import { within } from '../../store/within.ts'
import { ExpiringMap } from './expiring-map.ts'

const MOST_ENTRIES = 100_000
const MOST_IN_A_COMMIT = 100
/** An answer is worth more than that it can be gone on from. */
const WRITTEN_WITHIN_MS = 2000

type Named = ReadonlyMap<string, Stored>

/**
 * Which channel's upstream stores what later requests only name: in the database, because the next request may
 * come to any process, and for a while in this one, to which it comes as a rule.
 */
export class StoredResponses {
  readonly #store: Store
  readonly #now: () => number
  readonly #near: ExpiringMap<string, Stored>
  readonly #writes: GroupCommit<Named, undefined>

  constructor(store: Store, now: () => number, clock = () => performance.now(), most = MOST_ENTRIES) {
    this.#store = store
    this.#now = now
    this.#near = new ExpiringMap(clock, most)
    this.#writes = new GroupCommit(all => this.#write(all), MOST_IN_A_COMMIT)
  }

  /** Resolves when any process would find it, or when that takes too long to wait for. Never rejects. */
  async note(names: readonly string[], stored: Stored): Promise<void> {
    for (const name of names) this.#near.set(name, stored)
    try {
      await within(WRITTEN_WITHIN_MS, this.#writes.submit(new Map(names.map(name => [name, stored]))))
    } catch (error) {
      log.warn('what an upstream keeps could not be noted; only this process knows it', { error })
    }
  }

  /** Those that are known; at once where this process knows them all. */
  find(names: readonly string[]): Named | Promise<Named> {
    const found = new Map<string, Stored>()
    for (const name of names) {
      const stored = this.#near.get(name)
      if (stored) found.set(name, stored)
    }
    const others = names.filter(name => !found.has(name))
    return others.length === 0 ? found : this.#findFar(others, found)
  }

  async #findFar(names: readonly string[], found: Map<string, Stored>): Promise<Named> {
    for (const [name, stored] of await findStored(this.#store, names, this.#now())) {
      this.#near.set(name, stored)
      found.set(name, stored)
    }
    return found
  }

  async #write(all: readonly Named[]): Promise<undefined[]> {
    await putStored(this.#store, new Map(all.flatMap(named => [...named])), this.#now())
    return all.map(() => undefined)
  }
}
