import { countFirstToken } from '../relay-figures.ts'
import type { Channel } from '../routing/channel.ts'
import type { Pace } from '../routing/pace.ts'

/**
 * One order at one channel, from when it is going to be asked: one more that the channel has under way and, where its
 * pace is measured, that waits for its first token. Only while channels are chosen by that.
 */
export class ChannelVisit {
  readonly #channel: Channel
  readonly #pace: Pace | undefined
  readonly #askedAt: number
  #isHere = true
  #isWaiting: boolean

  constructor(channel: Channel, pace: Pace | undefined) {
    this.#channel = channel
    this.#pace = pace
    this.#askedAt = pace ? performance.now() : 0
    this.#isWaiting = pace !== undefined
    channel.load.enter()
    if (pace) pace.waiting++
  }

  /** The first time counts. */
  leave(): void {
    if (this.#isHere) this.#channel.load.leave()
    this.#isHere = false
    const now = performance.now()
    this.#waitNoMore()?.gaveUp(now - this.#askedAt, now)
  }

  /** What the order is for is here, or begins to come. */
  answer(): void {
    const pace = this.#waitNoMore()
    if (!pace) return
    const now = performance.now()
    const ms = now - this.#askedAt
    pace.measured(ms, now)
    countFirstToken(this.#channel.id, ms)
  }

  /** The channel is to blame, which is as bad as being slow. */
  fail(): void {
    const now = performance.now()
    const waited = this.#isWaiting ? now - this.#askedAt : 0
    this.#waitNoMore()
    this.#pace?.failed(waited, now)
  }

  /** The pace, if it was being measured until now. */
  #waitNoMore(): Pace | undefined {
    if (!this.#isWaiting || !this.#pace) return undefined
    this.#isWaiting = false
    this.#pace.waiting--
    return this.#pace
  }
}
