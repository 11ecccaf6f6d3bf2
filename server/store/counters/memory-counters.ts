import {
  type Claim,
  type Counters,
  type Figures,
  figuresOf,
  type Limited,
  MINUTE_MS,
  type Refusal,
} from './counters.ts'

/** One minute of somebody, and the calls that are under way. */
interface Tally {
  began: number
  requests: number
  tokens: number
  running: number
}

interface Hits {
  readonly until: number
  count: number
}

/** Whoever comes from many addresses must not fill the memory, nor make us forget the others. */
const MOST_HITS = 50_000
const FEW_TALLIES = 1000
/** Nobody knows when a call ends; a second is soon enough to ask again. */
const CONCURRENCY_WAIT_MS = 1000

/** Counts of this process alone. */
export class MemoryCounters implements Counters {
  readonly #clock: () => number
  readonly #tallies = new Map<string, Tally>()
  readonly #hits = new Map<string, Hits>()
  #sweepAt = FEW_TALLIES

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  take(limited: readonly Limited[], tokens: number): Claim | Refusal {
    const now = this.#clock()
    const tallies = limited.map(({ name }) => this.#tallyOf(name, now))
    for (const [index, tally] of tallies.entries()) {
      const refused = refuse(limited[index], tally, tokens)
      if (!refused) continue
      const waitMs = refused === 'concurrency' ? CONCURRENCY_WAIT_MS : tally.began + MINUTE_MS - now
      return { index, kind: refused, waitMs }
    }
    return this.#enter(limited, tallies, tokens, now)
  }

  /** Counts a call that was let in elsewhere, whatever the limits say here. */
  note(limited: readonly Limited[], tokens: number): Claim {
    const now = this.#clock()
    const tallies = limited.map(({ name }) => this.#tallyOf(name, now))
    return this.#enter(limited, tallies, tokens, now)
  }

  /** The first of them that has as many calls under way here as it may have anywhere. */
  findFull(limited: readonly Limited[]): Refusal | undefined {
    for (const [index, { name, limits }] of limited.entries()) {
      const running = this.#tallies.get(name)?.running ?? 0
      if (limits.concurrency > 0 && running >= limits.concurrency)
        return { index, kind: 'concurrency', waitMs: CONCURRENCY_WAIT_MS }
    }
    return undefined
  }

  #enter(limited: readonly Limited[], tallies: readonly Tally[], tokens: number, now: number): MemoryClaim {
    for (const tally of tallies) {
      tally.requests++
      tally.tokens += tokens
      tally.running++
    }
    const counts = tallies.map(tally => ({ ...tally, resetMs: tally.began + MINUTE_MS - now }))
    return new MemoryClaim(this, limited, tallies, tokens, figuresOf(limited, counts))
  }

  hit(key: string, windowMs: number): number {
    const now = this.#clock()
    const known = this.#hits.get(key)
    if (known && known.until > now) return ++known.count
    this.#hits.delete(key)
    if (this.#hits.size >= MOST_HITS) this.#forgetHits(now)
    this.#hits.set(key, { until: now + windowMs, count: 1 })
    return 1
  }

  hitEnds(key: string): number {
    return Math.max(0, (this.#hits.get(key)?.until ?? 0) - this.#clock())
  }

  /** For a call of `began`'s minute. What was used too much counts in the minute in which it came to light. */
  add(name: string, tokens: number, began: number): void {
    const tally = this.#tallyOf(name, this.#clock())
    if (tokens > 0 || tally.began === began) tally.tokens = Math.max(0, tally.tokens + tokens)
  }

  #tallyOf(name: string, now: number): Tally {
    const known = this.#tallies.get(name)
    if (known) {
      if (known.began + MINUTE_MS <= now) Object.assign(known, { began: now, requests: 0, tokens: 0 })
      return known
    }
    if (this.#tallies.size >= this.#sweepAt) this.#sweep(now)
    const tally = { began: now, requests: 0, tokens: 0, running: 0 }
    this.#tallies.set(name, tally)
    return tally
  }

  #sweep(now: number): void {
    for (const [name, { began, running }] of this.#tallies)
      if (running === 0 && began + MINUTE_MS <= now) this.#tallies.delete(name)
    this.#sweepAt = Math.max(FEW_TALLIES, this.#tallies.size * 2)
  }

  /** What is over goes; if that is nothing, the oldest tenth. */
  #forgetHits(now: number): void {
    for (const [key, { until }] of this.#hits) if (until <= now) this.#hits.delete(key)
    let many = this.#hits.size >= MOST_HITS ? MOST_HITS / 10 : 0
    for (const key of this.#hits.keys()) {
      if (many-- <= 0) break
      this.#hits.delete(key)
    }
  }
}

/** Who asks for more than a whole minute's tokens gets them when nobody has had any: else they never would. */
function refuse(limited: Limited | undefined, tally: Tally, tokens: number): Refusal['kind'] | undefined {
  const { rpm = 0, tpm = 0, concurrency = 0 } = limited?.limits ?? {}
  if (rpm > 0 && tally.requests >= rpm) return 'requests'
  if (tpm > 0 && tally.tokens > 0 && (tally.tokens >= tpm || tally.tokens + tokens > tpm)) return 'tokens'
  if (concurrency > 0 && tally.running >= concurrency) return 'concurrency'
  return undefined
}

class MemoryClaim implements Claim {
  readonly figures: Figures
  readonly #counters: MemoryCounters
  readonly #limited: readonly Limited[]
  readonly #tallies: readonly Tally[]
  readonly #began: readonly number[]
  #tokens: number
  #ended = false

  constructor(
    counters: MemoryCounters,
    limited: readonly Limited[],
    tallies: readonly Tally[],
    tokens: number,
    figures: Figures,
  ) {
    this.#counters = counters
    this.#limited = limited
    this.#tallies = tallies
    this.#began = tallies.map(({ began }) => began)
    this.#tokens = tokens
    this.figures = figures
  }

  charge(tokens: number): undefined {
    const more = tokens - this.#tokens
    if (this.#ended || more === 0) return
    this.#tokens = tokens
    for (const [index, { name }] of this.#limited.entries())
      this.#counters.add(name, more, this.#began[index] ?? 0)
  }

  end(tokens: number): undefined {
    if (this.#ended) return
    this.charge(tokens)
    this.#ended = true
    for (const tally of this.#tallies) tally.running--
  }
}
