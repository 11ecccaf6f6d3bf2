/**
 * How a call came to its end for which others waited: its answer is kept; its client has left, so that one of them may
 * take its place; or there is nothing to wait for any more.
 */
type Landing = 'kept' | 'left' | 'lost'

/** Clients expect a first sign of life within a minute; then it is better to ask than to go on waiting. */
const LONGEST_WAIT_MS = 30_000

/** A call whose answer is to be kept, while it is under way. */
export class Flight {
  readonly #longestMs: number
  readonly #over: () => void
  readonly #landing = Promise.withResolvers<Landing>()

  constructor(longestMs: number, over: () => void) {
    this.#longestMs = longestMs
    this.#over = over
  }

  /** Only the first time has an effect. */
  land(how: Landing): void {
    this.#over()
    this.#landing.resolve(how)
  }

  /** Until it has landed, or for as long as anybody should wait. */
  async landing(signal: AbortSignal): Promise<Landing | 'late'> {
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const leave = (): void => resolve('late')
    const timer = setTimeout(() => {
      // Whoever comes now need not wait as long in vain.
      this.#over()
      leave()
    }, this.#longestMs)
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
    try {
      return await Promise.race([this.#landing.promise, late])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
  }
}

/** Of calls that ask the same at once one goes out, and the others wait for its answer. Each process has its own. */
export class Flights {
  readonly #longestMs: number
  readonly #underWay = new Map<string, Flight>()

  constructor(longestMs = LONGEST_WAIT_MS) {
    this.#longestMs = longestMs
  }

  find(name: string): Flight | undefined {
    return this.#underWay.get(name)
  }

  /** Undefined where one is under way already. Whoever begins one has to land it. */
  begin(name: string): Flight | undefined {
    if (this.#underWay.has(name)) return undefined
    const flight: Flight = new Flight(this.#longestMs, () => {
      if (this.#underWay.get(name) === flight) this.#underWay.delete(name)
    })
    this.#underWay.set(name, flight)
    return flight
  }
}
