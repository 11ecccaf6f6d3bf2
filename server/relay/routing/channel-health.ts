import { log } from '../../log.ts'
import type { RestReason } from '../../store/channel-rests.ts'
import type { Channel } from './channel.ts'
import { type CoolDown, coolDown } from './cool-down.ts'
import { makeRoom } from './make-room.ts'

export type FailureKind = RestReason

export interface ChannelFailure {
  readonly kind: FailureKind
  readonly status?: number | undefined
  /** Seconds, as the upstream said. */
  readonly retryAfter?: number | undefined
}

/** How many keys a channel has, and for how long those of them are left alone that are. */
export interface RestingKeys {
  readonly all: number
  readonly forMs: readonly number[]
}

/**
 * Told when a channel is to be left alone, or some of its keys; the model is blank where it is all of them. A channel
 * all of whose keys rest does so until the first of them is back.
 */
export type OnRest = (
  channel: Channel,
  model: string,
  resting: number | RestingKeys,
  failure: ChannelFailure,
) => void

const OPEN_MS = { first: 10_000, most: 300_000 } as const
const FAILURES_TO_OPEN = 5
/** A probe whose end nobody reported must not keep the channel closed for ever. */
const PROBE_LEASE_MS = 300_000
/** How long to wait for somebody else's probe, as far as one can tell. */
const PROBE_WAIT_MS = 1_000
/** Models of one channel whose trouble is remembered; the trouble that began first is forgotten first. */
const MOST_TROUBLES = 500

/** What is wrong with one model of one channel. A pair that works has none. */
interface Trouble extends CoolDown {
  failures: number
  /** Openings in a row; above 0 and past `openUntil` it is half-open. */
  opened: number
  openUntil: number
  probeUntil: number
}

/**
 * Which channels are worth asking, by model. A 429 cools one down for a while; failures in a row open it, and
 * then a single request at a time finds out whether it is back. Of several keys only the one that was used is
 * cooled down. It all hangs on the `Channel` object, and goes when the operator changes the channel.
 */
export class ChannelHealth {
  readonly #clock: () => number
  readonly #troubles = new WeakMap<Channel, Map<string, Trouble>>()

  readonly #onRest: OnRest | undefined

  constructor(clock: () => number = () => performance.now(), onRest?: OnRest) {
    this.#clock = clock
    this.#onRest = onRest
  }

  isUsable(channel: Channel, model: string, own?: string): boolean {
    return this.#waitMs(channel, model, own) === 0
  }

  /** `own` is the name of what the caller may have brought about. */
  #waitMs(channel: Channel, model: string, own: string | undefined): number {
    const wait = this.waitMs(channel, model)
    return own === undefined ? wait : Math.max(wait, this.waitMs(channel, own))
  }

  /** How long until it may be asked; infinite when it has no key that can be opened. */
  waitMs(channel: Channel, model: string): number {
    const trouble = this.#troubles.get(channel)?.get(model)
    const keyReadyAt = channel.keyReadyFor(model)
    if (!trouble && keyReadyAt === 0) return 0
    const now = this.#clock()
    const readyAt = Math.max(keyReadyAt, trouble?.coolUntil ?? 0, trouble?.openUntil ?? 0)
    if (readyAt > now) return readyAt - now
    return trouble && trouble.probeUntil > now ? PROBE_WAIT_MS : 0
  }

  /** Whole seconds until the first of them may be asked; undefined when none ever will. */
  soonest(channels: Iterable<Channel>, model: string, own?: string): number | undefined {
    let least = Number.POSITIVE_INFINITY
    for (const channel of channels) least = Math.min(least, this.#waitMs(channel, model, own))
    return Number.isFinite(least) ? Math.ceil(least / 1000) : undefined
  }

  /** To be called without a pause after `isUsable`. True when this request is the probe. */
  begin(channel: Channel, model: string): boolean {
    const trouble = this.#troubles.get(channel)?.get(model)
    if (!trouble || trouble.opened === 0) return false
    trouble.probeUntil = this.#clock() + PROBE_LEASE_MS
    return true
  }

  /** The probe ended without a verdict: its client left, or was itself at fault. */
  abandonProbe(channel: Channel, model: string): void {
    const trouble = this.#troubles.get(channel)?.get(model)
    if (trouble) trouble.probeUntil = 0
  }

  /** A stream has begun: the channel answers again, but whether it answers to the end is not known yet. */
  began(channel: Channel, model: string): void {
    const trouble = this.#troubles.get(channel)?.get(model)
    if (!trouble || trouble.openUntil > this.#clock()) return
    trouble.opened = 0
    trouble.probeUntil = 0
  }

  succeeded(channel: Channel, model: string, key?: string): void {
    if (key !== undefined) channel.keyRing?.answered(key, model)
    const troubles = this.#troubles.get(channel)
    const trouble = troubles?.get(model)
    if (!troubles || !trouble) return
    const now = this.#clock()
    trouble.failures = 0
    // Requests that were under way when it was cooled or opened say nothing of how it is now.
    if (trouble.openUntil > now) return
    trouble.opened = 0
    trouble.probeUntil = 0
    if (trouble.coolUntil <= now) troubles.delete(model)
  }

  /** Whether it was only the key, and the channel has others for the model. */
  failed(channel: Channel, model: string, failure: ChannelFailure, key?: string): boolean {
    if (failure.kind === 'rate' && key !== undefined && channel.keys.length > 1)
      return this.#limitKey(channel, model, failure, key)
    this.#channelFailed(channel, model, failure)
    return false
  }

  #channelFailed(channel: Channel, model: string, failure: ChannelFailure): void {
    const trouble = this.#troubleOf(channel, model)
    const now = this.#clock()
    if (failure.kind === 'rate') {
      // The channel answered: whoever probed it is done, and the next probe waits for the cool-down.
      trouble.probeUntil = 0
      coolDown(trouble, now, failure.retryAfter)
      this.#onRest?.(channel, model, trouble.coolUntil - now, failure)
      return
    }
    // What was under way when it opened fails too, and is no new evidence.
    if (trouble.openUntil > now) return
    trouble.failures++
    if (trouble.opened === 0 && trouble.failures < FAILURES_TO_OPEN) return
    open(trouble, now)
    this.#onRest?.(channel, model, trouble.openUntil - now, failure)
    log.warn('a channel keeps failing and is left alone for a while', {
      channel: channel.id,
      model,
      kind: failure.kind,
      status: failure.status,
      seconds: (trouble.openUntil - now) / 1000,
    })
  }

  #limitKey(channel: Channel, model: string, failure: ChannelFailure, key: string): boolean {
    this.abandonProbe(channel, model)
    channel.keyRing?.limit(key, model, failure.retryAfter)
    this.#tellOfKeys(channel, model, failure)
    return channel.keyReadyFor(model) === 0
  }

  /** One of its keys was set aside, whatever the model. */
  keysRest(channel: Channel, failure: ChannelFailure): void {
    this.#tellOfKeys(channel, '', failure)
    // It may have been the last that was left for some.
    for (const model of channel.keyRing?.limitedModels ?? [])
      if (channel.keyReadyFor(model) > 0) this.#tellOfKeys(channel, model, failure)
  }

  #tellOfKeys(channel: Channel, model: string, failure: ChannelFailure): void {
    if (!this.#onRest) return
    const now = this.#clock()
    const times = channel.keyRing?.restTimes(model || undefined) ?? []
    if (times.length === 0) return
    const resting = { all: channel.keys.length, forMs: times.map(until => until - now) }
    this.#onRest(channel, model, resting, failure)
  }

  #troubleOf(channel: Channel, model: string): Trouble {
    const troubles = this.#troubles.get(channel) ?? new Map<string, Trouble>()
    this.#troubles.set(channel, troubles)
    const known = troubles.get(model)
    if (known) return known
    makeRoom(troubles, MOST_TROUBLES)
    const trouble = { failures: 0, cooled: 0, coolUntil: 0, opened: 0, openUntil: 0, probeUntil: 0 }
    troubles.set(model, trouble)
    return trouble
  }
}

function open(trouble: Trouble, now: number): void {
  trouble.openUntil = now + Math.min(OPEN_MS.first * 2 ** trouble.opened, OPEN_MS.most)
  trouble.opened++
  trouble.failures = 0
  trouble.probeUntil = 0
}
