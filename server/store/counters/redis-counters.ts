import {
  type Claim,
  type Counters,
  type Figures,
  figuresOf,
  isRefusal,
  type Limited,
  type LimitKind,
  MINUTE_MS,
  type Refusal,
} from './counters.ts'
import { RedisAway, type RedisLine } from './redis-line.ts'
import { chargeScript, hitEndsScript, hitScript, renewScript, takeScript } from './redis-scripts.ts'

/** A call whose process is gone is forgotten after this; a living one says so three times as often. */
const LEASE_MS = 60_000
const RENEWED_AT_ONCE = 500
const MOST_OWED = 10_000

const kinds: readonly LimitKind[] = ['requests', 'tokens', 'concurrency']

export interface RedisTimes {
  readonly minuteMs: number
  readonly leaseMs: number
}

/** Counts that all nodes share. Every method throws RedisAway when there is no Redis. */
export class RedisCounters implements Counters {
  readonly line: RedisLine
  readonly #prefix: string
  readonly times: RedisTimes
  readonly #running = new Set<RedisClaim>()
  /** Calls that ended while nobody could be told. */
  readonly #owed = new Set<RedisClaim>()
  readonly #timer: Timer

  constructor(
    line: RedisLine,
    prefix: string,
    times: RedisTimes = { minuteMs: MINUTE_MS, leaseMs: LEASE_MS },
  ) {
    this.line = line
    this.#prefix = prefix
    this.times = times
    line.onBack = () => this.#sayOwed()
    this.#timer = setInterval(() => this.#renew(), times.leaseMs / 3).unref()
  }

  async hit(key: string, windowMs: number): Promise<number> {
    return asNumber(await this.line.run(hitScript, [`${this.#prefix}hit:${key}`], [windowMs]))
  }

  async hitEnds(key: string): Promise<number> {
    return Math.max(0, asNumber(await this.line.run(hitEndsScript, [`${this.#prefix}hit:${key}`], [])))
  }

  async take(limited: readonly Limited[], tokens: number): Promise<Claim | Refusal> {
    const id = Bun.randomUUIDv7()
    const keys = limited.flatMap(({ name }) => [
      `${this.#prefix}minute:${name}`,
      `${this.#prefix}running:${name}`,
    ])
    const most = limited.flatMap(({ limits }) => [limits.rpm, limits.tpm, limits.concurrency])
    const { minuteMs, leaseMs } = this.times
    const read = (answer: unknown) => this.#read(answer, id, limited, keys, tokens)
    const taken = read(
      await this.line.run(takeScript, keys, [id, leaseMs, minuteMs, tokens, ...most], late => {
        const taken = read(late)
        if (!isRefusal(taken)) void taken.end(0)
      }),
    )
    if (!isRefusal(taken) && taken.leases.length > 0) this.#running.add(taken)
    return taken
  }

  /** Others need not wait until what ran here is forgotten. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(Array.from(this.#running, claim => claim.end()))
    this.line.close()
  }

  forget(claim: RedisClaim): void {
    this.#running.delete(claim)
  }

  /** Its end could not be told: that is made good while it would still be believed to run. */
  owe(claim: RedisClaim): void {
    if (claim.leases.length > 0 && this.#owed.size < MOST_OWED) this.#owed.add(claim)
  }

  #sayOwed(): void {
    const owed = [...this.#owed]
    this.#owed.clear()
    for (const claim of owed) void claim.sayEnded()
  }

  #read(
    answer: unknown,
    id: string,
    limited: readonly Limited[],
    keys: readonly string[],
    tokens: number,
  ): RedisClaim | Refusal {
    const [first, ...rest]: unknown[] = Array.isArray(answer) ? answer : []
    if (asNumber(first) > 0) {
      const kind = kinds[asNumber(rest[0]) - 1] ?? 'requests'
      return { index: asNumber(first) - 1, kind, waitMs: Math.max(0, asNumber(rest[1])) }
    }
    const counts = rest.map(count => (Array.isArray(count) ? count.map(asNumber) : []))
    const figures = figuresOf(
      limited,
      counts.map(([, requests = 0, used = 0, left = 0]) => ({ requests, tokens: used, resetMs: left })),
    )
    const began = counts.map(([at = 0]) => at)
    const leases = keys.filter(
      (_, at) => at % 2 === 1 && (limited[(at - 1) / 2]?.limits.concurrency ?? 0) > 0,
    )
    return new RedisClaim(this, { id, keys, leases, began, tokens }, figures)
  }

  #renew(): void {
    if (!this.line.isUp) return
    const claims = [...this.#running]
    for (let at = 0; at < claims.length; at += RENEWED_AT_ONCE) {
      const some = claims.slice(at, at + RENEWED_AT_ONCE)
      const keys = some.flatMap(claim => claim.leases)
      const ids = some.flatMap(claim => claim.leases.map(() => claim.id))
      this.line.run(renewScript, keys, [this.times.leaseMs, ...ids]).catch(() => {})
    }
  }
}

interface Taken {
  readonly id: string
  /** The minute's and the running calls', by turns. */
  readonly keys: readonly string[]
  /** Where it is known to be running for as long as we say so. */
  readonly leases: readonly string[]
  readonly began: readonly number[]
  readonly tokens: number
}

class RedisClaim implements Claim {
  readonly figures: Figures
  readonly #counters: RedisCounters
  readonly #taken: Taken
  #tokens: number
  #ended = false

  constructor(counters: RedisCounters, taken: Taken, figures: Figures) {
    this.#counters = counters
    this.#taken = taken
    this.#tokens = taken.tokens
    this.figures = figures
  }

  get id(): string {
    return this.#taken.id
  }

  get leases(): readonly string[] {
    return this.#taken.leases
  }

  charge(tokens: number): Promise<void> | undefined {
    return this.#ended || tokens === this.#tokens ? undefined : this.#say('', tokens)
  }

  end(tokens = this.#tokens): Promise<void> | undefined {
    if (this.#ended) return undefined
    this.#ended = true
    this.#counters.forget(this)
    return this.#say(this.#taken.id, tokens)
  }

  /** Says once more that it is over; its tokens may have been heard the first time. */
  sayEnded(): Promise<void> {
    return this.#say(this.#taken.id, this.#tokens)
  }

  async #say(id: string, tokens: number): Promise<void> {
    const more = tokens - this.#tokens
    this.#tokens = tokens
    const { keys, began } = this.#taken
    const { line, times } = this.#counters
    try {
      await line.run(chargeScript, keys, [id, times.minuteMs, more, ...began])
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error
      if (id !== '') this.#counters.owe(this)
    }
  }
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number(value ?? 0)
}
