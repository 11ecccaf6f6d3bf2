import type { Scheduler, SimProcess } from './scheduler.ts'

export interface Transaction {
  readonly process: SimProcess
  ended: boolean
  readonly locked: string[]
}

interface Waiter {
  readonly transaction: Transaction
  readonly proceed: () => void
}

/** Rows locked for update, as PostgreSQL and MySQL lock them: until the end of the transaction. */
export class RowLocks {
  readonly #scheduler: Scheduler
  readonly #waitMs: number
  readonly #owners = new Map<string, Transaction>()
  readonly #queues = new Map<string, Waiter[]>()
  /** Switched off to see that the simulator notices. */
  enabled = true

  constructor(scheduler: Scheduler, waitMs: number) {
    this.#scheduler = scheduler
    this.#waitMs = waitMs
  }

  /** One after the other, in the order given. */
  acquire(
    transaction: Transaction,
    names: readonly string[],
    done: { granted: () => void; refused: () => void },
  ): void {
    const [name, ...rest] = names
    if (name === undefined || !this.enabled) return done.granted()
    const proceed = (): void => {
      transaction.locked.push(name)
      this.acquire(transaction, rest, done)
    }
    const owner = this.#owners.get(name)
    if (owner === transaction) return this.acquire(transaction, rest, done)
    if (!owner) {
      this.#owners.set(name, transaction)
      return proceed()
    }
    let isWaiting = true
    const queue = this.#queues.get(name) ?? []
    this.#queues.set(name, queue)
    queue.push({
      transaction,
      proceed: () => {
        isWaiting = false
        proceed()
      },
    })
    this.#scheduler.after(this.#waitMs, () => {
      if (isWaiting) done.refused()
    })
  }

  release(transaction: Transaction): void {
    for (const name of transaction.locked.splice(0)) {
      this.#owners.delete(name)
      const queue = this.#queues.get(name) ?? []
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (next.transaction.ended) continue
        this.#owners.set(name, next.transaction)
        next.proceed()
        break
      }
    }
  }
}
