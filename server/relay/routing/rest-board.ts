import { randomBytes } from 'node:crypto'
import { log } from '../../log.ts'
import { type ChannelRest, dropRests, putRests } from '../../store/channel-rests.ts'
import type { Store } from '../../store/index.ts'
import type { OnRest } from './channel-health.ts'

/** What is noted within this time is written together. */
const GATHER_MS = 500
/** The newest ones: nobody reads more. */
const MOST_RESTS = 500

/**
 * What this process leaves alone for a while, written where the operator is shown it by any process. Only
 * beginnings are written: an end comes with the time, or with a change of the channel, which its mark tells.
 */
export class RestBoard {
  readonly #store: Store
  readonly #process = randomBytes(12).toString('hex')
  readonly #rests = new Map<string, ChannelRest>()
  #timer: Timer | undefined
  #writing: Promise<void> = Promise.resolve()
  #written = false

  constructor(store: Store) {
    this.#store = store
  }

  readonly note: OnRest = (channel, model, forMs, { kind, status }) => {
    const until = Math.ceil((Date.now() + forMs) / 1000)
    const key = `${channel.id} ${model}`
    this.#rests.delete(key)
    this.#rests.set(key, { channel: channel.id, mark: channel.mark, model, until, reason: kind, status })
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }, GATHER_MS)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#written) await dropRests(this.#store, this.#process)
  }

  async #write(): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    const over = this.#rests.size - MOST_RESTS
    let at = 0
    for (const [key, { until }] of this.#rests) if (until <= now || at++ < over) this.#rests.delete(key)
    try {
      this.#written = true
      await putRests(this.#store, this.#process, [...this.#rests.values()])
    } catch (error) {
      // Only for people to see: calls go on, and the next rest writes them all.
      log.debug('what rests could not be written', { error })
    }
  }
}
