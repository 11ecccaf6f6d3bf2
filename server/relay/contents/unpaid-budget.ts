/** Enough to see what is wrong; without an end to it a client without money could fill the disk. */
const MOST_A_MINUTE = 1024 * 1024

/** How much of each user's calls is kept that cost nothing: those that failed, and answers that are given again. */
export class UnpaidBudget {
  #minute = 0
  readonly #kept = new Map<number, number>()

  /** `now` in seconds. What goes beyond is not kept, but for the first. */
  take(userId: number, bytes: number, now: number): boolean {
    const minute = Math.floor(now / 60)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#kept.clear()
    }
    const kept = this.#kept.get(userId) ?? 0
    if (kept > 0 && kept + bytes > MOST_A_MINUTE) return false
    this.#kept.set(userId, kept + bytes)
    return true
  }
}
