import { AppError } from '../errors.ts'

const MEGABYTE = 1024 * 1024
/** What of all the room one caller may fill. */
const PARTS = 4
/** Seconds; most of what is sent is here by then. */
const TRY_AGAIN = 5

/** By whose account, or from which address. */
type Sender = number | string

/**
 * How much of large bodies is held at once, of everybody together and of each who sends some: nobody can fill the
 * memory by sending much at a time and finishing none of it.
 */
export class BodyRoom {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #held = new Map<Sender, number>()
  #sum = 0

  constructor(bytes: number) {
    this.#most = bytes
    this.#mostOfOne = Math.floor(bytes / PARTS)
  }

  /** What is held of all that is under way. */
  get held(): number {
    return this.#sum
  }

  /** More of a body has come, of which so much is here already. Throws when there is no room for it. */
  take(sender: Sender, bytes: number, before: number): void {
    if (before + bytes > this.#mostOfOne) throw new AppError('request.too-large', { limit: this.#mostOfOne })
    const own = (this.#held.get(sender) ?? 0) + bytes
    if (own > this.#mostOfOne)
      throw new AppError('limit.body-memory', {
        limit: Math.floor(this.#mostOfOne / MEGABYTE),
        retryAfter: TRY_AGAIN,
      })
    if (this.#sum + bytes > this.#most) throw new AppError('limit.all-bodies', { retryAfter: TRY_AGAIN })
    this.#held.set(sender, own)
    this.#sum += bytes
  }

  giveBack(sender: Sender, bytes: number): void {
    const own = (this.#held.get(sender) ?? 0) - bytes
    this.#sum -= bytes
    if (own > 0) this.#held.set(sender, own)
    else this.#held.delete(sender)
  }
}
