import type { Channel } from './channel.ts'
import type { ChannelFailure, ChannelHealth } from './channel-health.ts'

/** So many callers, none of whom was answered in between, are proof. */
const WITNESSES = 3

const witnesses = new WeakMap<Channel, Map<string, Set<number>>>()

/**
 * Failures of a service whose paths its callers choose. What one of them meets there says nothing of the others, and who
 * knows a path that always fails must not be able to take the service from them: it counts against that caller's calls
 * alone, until several callers have met failures and nobody an answer in between.
 */
export class OwnTrouble {
  /** Under which the caller's own failures stand, also where the operator reads them. */
  readonly name: string
  readonly #model: string
  readonly #userId: number

  constructor(model: string, userId: number) {
    this.name = `${model} (#${userId})`
    this.#model = model
    this.#userId = userId
  }

  /** Whether it was only the key, and the channel has others. */
  failed(health: ChannelHealth, channel: Channel, failure: ChannelFailure, key?: string): boolean {
    if (this.#isProven(channel)) health.failed(channel, this.#model, failure)
    return health.failed(channel, this.name, failure, key)
  }

  succeeded(health: ChannelHealth, channel: Channel, key?: string): void {
    witnesses.get(channel)?.delete(this.#model)
    health.succeeded(channel, this.name, key)
  }

  #isProven(channel: Channel): boolean {
    const byModel = witnesses.get(channel) ?? new Map<string, Set<number>>()
    witnesses.set(channel, byModel)
    const known = byModel.get(this.#model) ?? new Set()
    byModel.set(this.#model, known.size < WITNESSES ? known.add(this.#userId) : known)
    return known.size >= WITNESSES
  }
}
