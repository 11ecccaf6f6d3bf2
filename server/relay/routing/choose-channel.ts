import type { Channel } from './channel.ts'
import type { ChannelFailure, ChannelHealth } from './channel-health.ts'
import type { Candidates } from './channel-index.ts'
import { type Draw, drawChannel, type Random } from './draw-channel.ts'

/** A channel that a request would rather go to; a pinned one is the only one that can know what it asks for. */
export interface Preference {
  readonly channelId: number
  readonly pinned: boolean
}

export interface Route {
  readonly candidates: Candidates
  readonly model: string
  readonly health: ChannelHealth
  /** Whether the channel is able to serve this kind of request at all. */
  readonly can?: ((channel: Channel) => boolean) | undefined
  readonly prefer?: Preference | undefined
  readonly random?: Random | undefined
  /** Which of the usable channels of a tier; without one, as their weights say. */
  readonly draw?: Draw | undefined
}

/** The attempts of one request: which channel is next, and what became of it. No channel is tried twice. */
export class Attempts {
  readonly #route: Route
  readonly #tiers: Candidates
  readonly #tried: number[] = []
  #current: { readonly channel: Channel; readonly isProbe: boolean } | undefined

  constructor(route: Route) {
    this.#route = route
    this.#tiers = pinnedTier(route) ?? route.candidates
  }

  /** The next channel to ask, already begun; undefined when none is left that may be asked now. */
  next(): Channel | undefined {
    this.abandoned()
    const channel = this.#choose()
    if (!channel) return undefined
    this.#tried.push(channel.id)
    this.#current = { channel, isProbe: this.#route.health.begin(channel, this.#route.model) }
    return channel
  }

  /** It answers; how the answer ends is told later, to the health itself. */
  began(): void {
    if (this.#current) this.#route.health.began(this.#current.channel, this.#route.model)
    this.#current = undefined
  }

  succeeded(): void {
    if (this.#current) this.#route.health.succeeded(this.#current.channel, this.#route.model)
    this.#current = undefined
  }

  failed(failure: ChannelFailure): void {
    if (this.#current) this.#route.health.failed(this.#current.channel, this.#route.model, failure)
    this.#current = undefined
  }

  /** The attempt ended and says nothing of the channel: the client left, or its request was wrong. */
  abandoned(): void {
    if (this.#current?.isProbe) this.#route.health.abandonProbe(this.#current.channel, this.#route.model)
    this.#current = undefined
  }

  /** Seconds until a channel may be asked, when all that are able to serve are resting. */
  retryAfter(): number | undefined {
    const able = this.#tiers.flat().filter(channel => this.#isAble(channel))
    return this.#route.health.soonest(able, this.#route.model) || undefined
  }

  #choose(): Channel | undefined {
    const { prefer, random = Math.random, draw = drawChannel } = this.#route
    const isUsable = (channel: Channel): boolean => this.#isUsable(channel)
    for (const tier of this.#tiers) {
      const preferred = prefer && tier.find(channel => channel.id === prefer.channelId)
      const chosen = preferred && isUsable(preferred) ? preferred : draw(tier, isUsable, random)
      if (chosen) return chosen
    }
    return undefined
  }

  #isUsable(channel: Channel): boolean {
    const { health, model } = this.#route
    return !this.#tried.includes(channel.id) && this.#isAble(channel) && health.isUsable(channel, model)
  }

  #isAble(channel: Channel): boolean {
    return this.#route.can?.(channel) ?? true
  }
}

/** Once the pinned channel is gone nobody knows what is asked for, and any channel may say so. */
function pinnedTier({ candidates, prefer }: Route): Candidates | undefined {
  if (!prefer?.pinned) return undefined
  for (const tier of candidates)
    for (const channel of tier) if (channel.id === prefer.channelId) return [[channel]]
  return undefined
}
