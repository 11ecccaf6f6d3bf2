import {
  type Claim,
  type Counters,
  type Figures,
  isRefusal,
  type Limited,
  type Refusal,
  type Soon,
} from './counters.ts'
import { MemoryCounters } from './memory-counters.ts'
import { RedisCounters } from './redis-counters.ts'
import { RedisAway, RedisLine } from './redis-line.ts'

export interface SharedCounters extends Counters {
  /** The same as `hit` where other processes see it; undefined when there is no such place. */
  hitShared(key: string, windowMs: number): Promise<number | undefined> | undefined
  close(): Promise<void>
}

/** Counts in Redis when there is one and it answers, otherwise in this process. */
export async function openCounters(
  redisUrl: string | undefined,
  name: string,
  answerMs?: number,
): Promise<SharedCounters> {
  const memory = new MemoryCounters()
  if (redisUrl === undefined) return new OwnCounters(memory)
  return new RedisOrOwnCounters(
    new RedisCounters(await RedisLine.open(redisUrl, undefined, answerMs), `tollgate:${name}:`),
    memory,
  )
}

class OwnCounters implements SharedCounters {
  readonly #memory: MemoryCounters

  constructor(memory: MemoryCounters) {
    this.#memory = memory
  }

  take(limited: readonly Limited[], tokens: number): Claim | Refusal {
    return this.#memory.take(limited, tokens)
  }

  hit(key: string, windowMs: number): number {
    return this.#memory.hit(key, windowMs)
  }

  hitEnds(key: string): number {
    return this.#memory.hitEnds(key)
  }

  hitShared(): undefined {}

  async close(): Promise<void> {}
}

class RedisOrOwnCounters implements SharedCounters {
  readonly #redis: RedisCounters
  readonly #memory: MemoryCounters

  constructor(redis: RedisCounters, memory: MemoryCounters) {
    this.#redis = redis
    this.#memory = memory
  }

  /**
   * What Redis lets in is counted here too: when it is slow or goes away this process goes on from there, and
   * nobody gets a fresh minute by it. What is under way here is enough to say that there is no place anywhere.
   */
  take(limited: readonly Limited[], tokens: number): Soon<Claim | Refusal> {
    if (!this.#redis.line.isUp) return this.#memory.take(limited, tokens)
    return this.#memory.findFull(limited) ?? this.#takeShared(limited, tokens)
  }

  async #takeShared(limited: readonly Limited[], tokens: number): Promise<Claim | Refusal> {
    try {
      const taken = await this.#redis.take(limited, tokens)
      return isRefusal(taken) ? taken : new SharedClaim(taken, this.#memory.note(limited, tokens))
    } catch (error) {
      if (error instanceof RedisAway) return this.#memory.take(limited, tokens)
      throw error
    }
  }

  hit(key: string, windowMs: number): Soon<number> {
    if (!this.#redis.line.isUp) return this.#memory.hit(key, windowMs)
    return this.#redis.hit(key, windowMs).catch(orElse(() => this.#memory.hit(key, windowMs)))
  }

  hitEnds(key: string): Soon<number> {
    if (!this.#redis.line.isUp) return this.#memory.hitEnds(key)
    return this.#redis.hitEnds(key).catch(orElse(() => this.#memory.hitEnds(key)))
  }

  hitShared(key: string, windowMs: number): Promise<number | undefined> | undefined {
    if (!this.#redis.line.isUp) return undefined
    return this.#redis.hit(key, windowMs).catch(orElse(() => undefined))
  }

  close(): Promise<void> {
    return this.#redis.close()
  }
}

/** One that Redis counts, and this process with it. */
class SharedClaim implements Claim {
  readonly #shared: Claim
  readonly #own: Claim

  constructor(shared: Claim, own: Claim) {
    this.#shared = shared
    this.#own = own
  }

  get figures(): Figures {
    return this.#shared.figures
  }

  charge(tokens: number): Promise<void> | undefined {
    void this.#own.charge(tokens)
    return this.#shared.charge(tokens)
  }

  end(tokens: number): Promise<void> | undefined {
    void this.#own.end(tokens)
    return this.#shared.end(tokens)
  }
}

function orElse<T>(work: () => T): (error: unknown) => T {
  return error => {
    if (error instanceof RedisAway) return work()
    throw error
  }
}
