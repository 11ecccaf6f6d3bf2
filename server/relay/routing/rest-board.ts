import { log } from '../../log.ts'
import { type ChannelRest, dropRests, putRests } from '../../store/channel-rests.ts'
import type { Store } from '../../store/index.ts'
import type { OnRest, RestingKeys } from './channel-health.ts'

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
  readonly #name: () => string
  readonly #rests = new Map<string, ChannelRest>()
  #timer: Timer | undefined
  #writing: Promise<void> = Promise.resolve()
  /** Under which name they stand in the database. */
  #writtenAs: string | undefined

  /** `name` is this process' in the books: when it dies, what is written under it goes with it. */
  constructor(store: Store, name: () => string) {
    this.#store = store
    this.#name = name
  }

  readonly note: OnRest = (channel, model, resting, { kind, status }) => {
    const keys = typeof resting === 'number' ? undefined : gather(resting)
    const until = typeof resting === 'number' ? secondIn(resting) : secondIn(Math.max(...resting.forMs))
    // Beside what the channel itself rests for.
    const place = `${keys ? 'keys ' : ''}${channel.id} ${model}`
    this.#rests.delete(place)
    this.#rests.set(place, {
      channel: channel.id,
      mark: channel.mark,
      model,
      until,
      reason: kind,
      status,
      keys,
    })
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }, GATHER_MS)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    if (this.#writtenAs !== undefined) await dropRests(this.#store, this.#writtenAs)
  }

  async #write(): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    const over = this.#rests.size - MOST_RESTS
    let at = 0
    for (const [key, { until }] of this.#rests) if (until <= now || at++ < over) this.#rests.delete(key)
    try {
      const name = this.#name()
      const former = this.#writtenAs
      this.#writtenAs = name
      if (former !== undefined && former !== name) await dropRests(this.#store, former)
      await putRests(this.#store, name, [...this.#rests.values()])
    } catch (error) {
      // Only for people to see: calls go on, and the next rest writes them all.
      log.debug('what rests could not be written', { error })
    }
  }
}

/** Many keys rest for few different times. */
function gather({ all, forMs }: RestingKeys): ChannelRest['keys'] {
  const counts = new Map<number, number>()
  for (const ms of forMs) counts.set(secondIn(ms), (counts.get(secondIn(ms)) ?? 0) + 1)
  return { all, ends: [...counts] }
}

function secondIn(ms: number): number {
  return Math.ceil((Date.now() + ms) / 1000)
}
