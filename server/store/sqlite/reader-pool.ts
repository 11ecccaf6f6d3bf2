import { hasSpareFiles } from '../spare-files.ts'
import type { FileMarks } from './same-file.ts'
import { SqliteThread } from './thread-client.ts'
import type { ThreadResult } from './thread-protocol.ts'

interface Waiting {
  readonly sql: string
  readonly parameters: readonly unknown[]
  resolve(result: ThreadResult | Promise<ThreadResult>): void
  reject(error: unknown): void
}

/** Reader threads: one at rest, more as soon as a read would have to wait behind a long one. */
export class ReaderPool {
  readonly #path: string
  readonly #marks: () => FileMarks | undefined
  readonly #most: number
  readonly #all: SqliteThread[] = []
  readonly #idle: SqliteThread[] = []
  readonly #queue: Waiting[] = []
  #opening = 0

  constructor(path: string, marks: () => FileMarks | undefined, most = 3) {
    this.#marks = marks
    this.#path = path
    this.#most = most
  }

  query(sql: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ sql, parameters, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(thread => thread.close()))
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle.pop()
      if (!thread) return this.#grow()
      const waiting = this.#queue.shift()
      if (!waiting) return
      const result = thread.query(waiting.sql, waiting.parameters)
      waiting.resolve(result)
      result
        .catch(() => {})
        .finally(() => {
          this.#idle.push(thread)
          this.#next()
        })
    }
  }

  #grow(): void {
    if (this.#all.length + this.#opening >= this.#most) return
    // The first one is there from the start on, and takes what waits.
    if (this.#all.length > 0 && !hasSpareFiles()) return
    this.#opening++
    SqliteThread.open(this.#path, 'reader', { marks: this.#marks() })
      .then(
        thread => {
          this.#all.push(thread)
          this.#idle.push(thread)
        },
        error => {
          if (this.#all.length === 0) for (const waiting of this.#queue.splice(0)) waiting.reject(error)
        },
      )
      .finally(() => {
        this.#opening--
        this.#next()
      })
  }
}
