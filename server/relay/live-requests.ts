import { log } from '../log.ts'
import { gauge } from '../metrics.ts'

/** Something that runs for a while and has clocks of its own. */
export interface Live {
  /** About once a second, with `performance.now()`. Must not throw and must not take long. */
  tick(at: number): void
}

const TICK_MS = 1000

/** Everything that is under way. One timer looks after all of it: a timer each would cost every request. */
export class LiveRequests {
  readonly #live = new Set<Live>()

  constructor() {
    gauge('tollgate_relay_live', 'Model calls under way.', () => this.#live.size)
    setInterval(() => this.#tick(), TICK_MS).unref()
  }

  get size(): number {
    return this.#live.size
  }

  add(live: Live): void {
    this.#live.add(live)
  }

  remove(live: Live): void {
    this.#live.delete(live)
  }

  #tick(): void {
    const at = performance.now()
    for (const live of this.#live) {
      try {
        live.tick(at)
      } catch (error) {
        log.error('a live request could not be looked after', { error })
      }
    }
  }
}
