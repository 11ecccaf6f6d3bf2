import { makeRoom } from './make-room.ts'

const TTL_MS = 3_600_000

/** Forgets what was not set for an hour, and what was set longest ago when it is full. */
export class ExpiringMap<K, V> {
  readonly #clock: () => number
  readonly #most: number
  readonly #entries = new Map<K, { readonly value: V; readonly until: number }>()

  constructor(clock: () => number, most: number) {
    this.#clock = clock
    this.#most = most
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.until > this.#clock()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    makeRoom(this.#entries, this.#most)
    this.#entries.set(key, { value, until: this.#clock() + TTL_MS })
  }
}
