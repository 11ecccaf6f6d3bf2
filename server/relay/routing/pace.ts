/** What was not measured for this long is believed to take half as long as it did: so it is looked at again. */
const HALF_LIFE_MS = 60_000
/** A failure is as bad as waiting for this long. */
export const FAILURE_MS = 10_000
const MOST_MS = 600_000
/** Who leaves sooner, or was never sent on, tells nothing of the channel. */
const TELLING_MS = 1000
/** One long prompt must not drive everybody away; two or three slow answers in a row do. */
const STEEPEST_RISE = 4
/** Of the way down to a quicker answer, right after another. */
const FALL = 0.3

/**
 * How soon a channel answers for a model: an average that rises steeply and falls slowly, the more slowly the closer
 * its measures are. Times are of `performance.now()`, and given, so that nothing here looks at a clock.
 */
export class Pace {
  /** Requests whose first token is waited for. */
  waiting = 0
  #ms = 0
  #at = Number.NEGATIVE_INFINITY

  /** How long the first token of one more is likely to take. `room` is how many wait as long as one does alone. */
  expected(at: number, room = 1): number {
    return this.#alone(at) * (1 + this.waiting / room)
  }

  measured(ms: number, at: number): void {
    if (this.#at === Number.NEGATIVE_INFINITY) this.#ms = ms
    else if (ms > this.#ms) this.#ms = Math.min(ms, this.#ms * STEEPEST_RISE)
    else this.#ms += (ms - this.#ms) * (1 - (1 - FALL) * this.#freshness(at))
    // An answer of no time at all could never rise again.
    this.#ms = Math.min(Math.max(this.#ms, 1), MOST_MS)
    this.#at = at
  }

  /** Nobody waited any longer: it would have taken at least so long. */
  gaveUp(ms: number, at: number): void {
    if (ms >= TELLING_MS && ms > this.#ms) this.measured(ms, at)
  }

  failed(ms: number, at: number): void {
    this.measured(Math.max(ms, FAILURE_MS, this.#ms * 2), at)
  }

  #alone(at: number): number {
    if (this.#at > Number.NEGATIVE_INFINITY) return this.#ms * this.#freshness(at)
    // One request finds out; the others go where it is known.
    return this.waiting === 0 ? 0 : FAILURE_MS
  }

  #freshness(at: number): number {
    return 2 ** ((this.#at - at) / HALF_LIFE_MS)
  }
}
