import { counter } from '../metrics.ts'

/** Ten in a second tell the whole story; without an end to them a client without money could fill the disk. */
const MOST_A_MINUTE = 600

const unnoted = counter(
  'tollgate_ledger_unnoted_total',
  'Refused calls that left no row: too many of one user.',
)

/** How many refused calls of each user are written down. */
export class NoteBudget {
  #minute = 0
  readonly #noted = new Map<number, number>()

  /** `now` in seconds. */
  take(userId: number, now: number): boolean {
    const minute = Math.floor(now / 60)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#noted.clear()
    }
    const noted = this.#noted.get(userId) ?? 0
    if (noted >= MOST_A_MINUTE) {
      unnoted.increment()
      return false
    }
    this.#noted.set(userId, noted + 1)
    return true
  }
}
