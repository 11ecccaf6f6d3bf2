import type { Pool } from './pool.ts'
import { reserve } from './reserve.ts'

/** While a server takes no writes at all, its sessions are not begun anew more often. */
const EVERY_MS = 5000
const FREE_WITHIN_MS = 20_000

/**
 * Ends all sessions of a pool, each when nobody is at it. Those that take no writes would never end by themselves: the
 * account was read-only when they began, or they led to a server that has become a replica, and who is asked every
 * second is never at rest.
 */
export class SessionRenewal {
  readonly #pool: Pool
  readonly #connections: number
  #begunAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool, connections: number) {
    this.#pool = pool
    this.#connections = connections
  }

  begin(): void {
    const now = performance.now()
    if (now - this.#begunAt < EVERY_MS) return
    this.#begunAt = now
    for (let each = 0; each < this.#connections; each++) this.#endOne().catch(() => {})
  }

  async #endOne(): Promise<void> {
    const connection = await reserve(this.#pool.sql, FREE_WITHIN_MS)
    await connection.close({ timeout: 0 }).finally(() => connection.release())
  }
}
