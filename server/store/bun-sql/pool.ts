import type { SQL } from 'bun'
import { log } from '../../log.ts'

/**
 * Connections that serve all. One that has fallen silent (its line is cut, and nobody says so) keeps what is asked on it
 * for as long as the system believes in it, a quarter of an hour or for good. So when nothing at all was answered while
 * somebody waited in vain, others are made in their place.
 */
export class Pool {
  readonly #make: () => SQL
  #sql: SQL
  #madeAt = performance.now()
  #answeredAt = 0

  constructor(make: () => SQL) {
    this.#make = make
    this.#sql = make()
  }

  get sql(): SQL {
    return this.#sql
  }

  answered(): void {
    this.#answeredAt = performance.now()
  }

  /** Somebody has waited from `since` to now. */
  waitedInVain(since: number): void {
    if (this.#answeredAt >= since || this.#madeAt >= since) return
    log.warn('the connections to the database have fallen silent: others take their place')
    const former = this.#sql
    this.#sql = this.#make()
    this.#madeAt = performance.now()
    former.close({ timeout: 0 }).catch(() => {})
  }
}
