/** So many in a second are an attack. */
const MOST = 200
const SECOND_MS = 1000

/**
 * Messages of a socket that are answered though nobody upstream is asked, and that cost nothing. Thousands that lie in the
 * socket come at one go, while everybody else waits.
 */
export class IdleMessages {
  #count = 0
  #since = 0

  /** Another has come: whether that is too many. */
  add(): boolean {
    const now = performance.now()
    if (now - this.#since > SECOND_MS) {
      this.#count = 0
      this.#since = now
    }
    return ++this.#count > MOST
  }
}
