import type { Claim, Counters, Limited, Refusal, Soon } from './counters.ts'
import { MemoryCounters } from './memory-counters.ts'
import { RedisCounters } from './redis-counters.ts'
import { RedisAway, RedisLine } from './redis-line.ts'

export interface SharedCounters extends Counters {
  /** The same as `hit` where other processes see it; undefined when there is no such place. */
  hitShared(key: string, windowMs: number): Promise<number | undefined> | undefined
  close(): Promise<void>
}

/** Counts in Redis when there is one and it answers, otherwise in this process. */
export async function openCounters(redisUrl: string | undefined, name: string): Promise<SharedCounters> {
  const memory = new MemoryCounters()
  if (redisUrl === undefined) return new OwnCounters(memory)
  return new RedisOrOwnCounters(
    new RedisCounters(await RedisLine.open(redisUrl), `tollgate:${name}:`),
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

  take(limited: readonly Limited[], tokens: number): Soon<Claim | Refusal> {
    if (!this.#redis.line.isUp) return this.#memory.take(limited, tokens)
    return this.#redis
      .take(limited, tokens)
      .catch(orElse<Claim | Refusal>(() => this.#memory.take(limited, tokens)))
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

function orElse<T>(work: () => T): (error: unknown) => T {
  return error => {
    if (error instanceof RedisAway) return work()
    throw error
  }
}
