import type { Channel } from './channel.ts'
import type { ChannelFailure, ChannelHealth } from './channel-health.ts'
import type { Candidates } from './channel-index.ts'
import { type Draw, drawChannel, type Random } from './draw-channel.ts'
import type { OwnTrouble } from './own-trouble.ts'

/** What became of a channel's keys in one request. */
interface Spent {
  readonly keys: string[]
  /** The last of them failed by itself, so that another may do. */
  mayReturn: boolean
}

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
  /** Where failures may be of the caller's making. */
  readonly own?: OwnTrouble | undefined
}

/**
 * The attempts of one request: which channel is next, and what became of it. No channel is tried twice, unless it was
 * only the key that failed and it has another; no key ever is.
 */
export class Attempts {
  readonly #route: Route
  readonly #tiers: Candidates
  readonly #tried: number[] = []
  /** By channel; only once a key has failed by itself. */
  #spent: Map<number, Spent> | undefined
  #current: { readonly channel: Channel; readonly isProbe: boolean } | undefined

  constructor(route: Route) {
    this.#route = route
    this.#tiers = pinnedTier(route) ?? route.candidates
  }

  /**
   * The next channel to ask, already begun; undefined when none is left that may be asked now. The last attempt is
   * rather for one that was not asked yet than for another key of one that was.
   */
  next(isLast = false): Channel | undefined {
    this.abandoned()
    const channel = this.#choose(isLast)
    if (!channel) return undefined
    this.#tried.push(channel.id)
    const spent = this.#spent?.get(channel.id)
    if (spent) spent.mayReturn = false
    const { health, model, own } = this.#route
    const isProbe = health.begin(channel, model)
    const isOwnProbe = own !== undefined && health.begin(channel, own.name)
    this.#current = { channel, isProbe: isProbe || isOwnProbe }
    return channel
  }

  /** The key to ask it with; undefined when it has none. */
  takeKey(channel: Channel): string | undefined {
    return channel.nextKey(this.#keyedBy, this.#spent?.get(channel.id)?.keys)
  }

  /** It answers; how the answer ends is told later, to the health itself. */
  began(): void {
    if (this.#current) this.#route.health.began(this.#current.channel, this.#route.model)
    this.#current = undefined
  }

  succeeded(key?: string): void {
    const { health, model, own } = this.#route
    if (this.#current) {
      health.succeeded(this.#current.channel, model, key)
      own?.succeeded(health, this.#current.channel, key)
    }
    this.#current = undefined
  }

  /** Whether it was only the key, and the channel has others. `isSure`: whoever had asked would have met it. */
  failed(failure: ChannelFailure, key?: string, isSure = true): boolean {
    const { health, model, own } = this.#route
    const channel = this.#current?.channel
    this.abandoned()
    if (!channel) return false
    const isKeyAlone =
      own && !isSure ? own.failed(health, channel, failure, key) : health.failed(channel, model, failure, key)
    if (!isKeyAlone) return false
    if (key !== undefined) this.#spend(channel, key)
    return true
  }

  /** The key is of no use at all, and the channel has others. */
  keyFailed(key: string): void {
    if (this.#current) this.#spend(this.#current.channel, key)
    this.abandoned()
  }

  #spend({ id }: Channel, key: string): void {
    this.#spent ??= new Map()
    const spent = this.#spent.get(id) ?? { keys: [], mayReturn: true }
    this.#spent.set(id, spent)
    spent.keys.push(key)
    spent.mayReturn = true
  }

  /** The attempt ended and says nothing of the channel: the client left, or its request was wrong. */
  abandoned(): void {
    if (this.#current?.isProbe) {
      const { health, model, own } = this.#route
      health.abandonProbe(this.#current.channel, model)
      if (own) health.abandonProbe(this.#current.channel, own.name)
    }
    this.#current = undefined
  }

  /** Seconds until a channel may be asked, when all that are able to serve are resting. */
  retryAfter(): number | undefined {
    const able = this.#tiers.flat().filter(channel => this.#isAble(channel))
    const { health, model, own } = this.#route
    return health.soonest(able, model, own?.name) || undefined
  }

  /** Seconds until it is worth asking again: what an upstream said, or less where something else is to be had sooner. */
  worthAsking(said: number): number {
    const hasKey = this.#spent && this.#tiers.some(tier => tier.some(channel => this.#isUsableAgain(channel)))
    return hasKey ? 1 : Math.min(said, this.retryAfter() ?? said)
  }

  #choose(isLast: boolean): Channel | undefined {
    const isUsable = (channel: Channel): boolean => this.#isUsable(channel)
    if (!this.#spent) return this.#draw(isUsable)
    const isUsableAgain = (channel: Channel): boolean => this.#isUsableAgain(channel)
    return isLast ? (this.#draw(isUsable) ?? this.#draw(isUsableAgain)) : this.#draw(isUsable, isUsableAgain)
  }

  /** From the first tier that has one; what is usable `otherwise` before the next tier is looked at. */
  #draw(
    isUsable: (channel: Channel) => boolean,
    otherwise?: (channel: Channel) => boolean,
  ): Channel | undefined {
    const { prefer, random = Math.random, draw = drawChannel } = this.#route
    for (const tier of this.#tiers) {
      const preferred = prefer && tier.find(channel => channel.id === prefer.channelId)
      const chosen = preferred && isUsable(preferred) ? preferred : draw(tier, isUsable, random)
      const found = chosen ?? (otherwise && draw(tier, otherwise, random))
      if (found) return found
    }
    return undefined
  }

  #isUsable(channel: Channel): boolean {
    return !this.#tried.includes(channel.id) && this.#isAble(channel) && this.#isReady(channel)
  }

  #isUsableAgain(channel: Channel): boolean {
    const spent = this.#spent?.get(channel.id)
    if (!spent?.mayReturn || !this.#isAble(channel) || !this.#isReady(channel)) return false
    return channel.keyRing?.has(this.#keyedBy, spent.keys) ?? false
  }

  #isReady(channel: Channel): boolean {
    const { health, model, own } = this.#route
    return health.isUsable(channel, model, own?.name)
  }

  /** For what its keys may have been limited. */
  get #keyedBy(): string {
    return this.#route.own?.name ?? this.#route.model
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
