import { SqliteThread } from './thread-client.ts'
import type { ThreadResult } from './thread-protocol.ts'

/** Reader threads: one at rest, more while reads pile up behind a long one. */
export class ReaderPool {
  readonly #path: string
  readonly #most: number
  readonly #threads: SqliteThread[] = []
  #opening: Promise<void> | undefined

  constructor(path: string, most = 3) {
    this.#path = path
    this.#most = most
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    if (this.#threads.length === 0) await this.#grow()
    const thread = this.#idlest()
    if (thread.pending > 0 && this.#threads.length < this.#most) this.#grow().catch(() => {})
    return thread.query(sql, parameters)
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    await Promise.all(this.#threads.map(thread => thread.close()))
  }

  #idlest(): SqliteThread {
    return this.#threads.reduce((best, thread) => (thread.pending < best.pending ? thread : best))
  }

  #grow(): Promise<void> {
    this.#opening ??= SqliteThread.open(this.#path, false)
      .then(thread => void this.#threads.push(thread))
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }
}
