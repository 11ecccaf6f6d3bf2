/** Calls and tokens in a minute, and calls at once, at most; 0 for as many as may come. */
export interface Limits {
  readonly rpm: number
  readonly tpm: number
  readonly concurrency: number
}

/** Somebody with limits. The name is what is counted under, such as `token:5`. */
export interface Limited {
  readonly name: string
  readonly limits: Limits
}

export type LimitKind = 'requests' | 'tokens' | 'concurrency'

/** How much of a minute's limit is left, and when it is whole again. */
export interface Figure {
  readonly limit: number
  readonly left: number
  readonly resetMs: number
}

/** The tightest limit of each kind, where there is one. */
export interface Figures {
  readonly requests?: Figure
  readonly tokens?: Figure
}

/** One call that is counted. Whatever becomes of it, it is ended, and only the first ending counts. */
export interface Claim {
  readonly figures: Figures
  /** So many tokens in all by now, in place of what was thought before. */
  charge(tokens: number): Promise<void> | undefined
  end(tokens: number): Promise<void> | undefined
}

/** Which of those that were asked for is at its limit; nothing was counted for any of them. */
export interface Refusal {
  readonly index: number
  readonly kind: LimitKind
  readonly waitMs: number
}

/** Resolved at once where nobody has to be asked. */
export type Soon<T> = T | Promise<T>

export interface Counters {
  /** Counts a call for all of them, or for none. */
  take(limited: readonly Limited[], tokens: number): Soon<Claim | Refusal>
  /** Counts under a key, in a window that begins with its first count; how many there have been. */
  hit(key: string, windowMs: number): Soon<number>
  /** How many milliseconds that window still has. */
  hitEnds(key: string): Soon<number>
}

export const MINUTE_MS = 60_000

export function isRefusal(taken: Claim | Refusal): taken is Refusal {
  return 'waitMs' in taken
}

/** Undefined when nothing is limited. */
export function readLimits(limits: Limits): Limits | undefined {
  const { rpm, tpm, concurrency } = limits
  return rpm > 0 || tpm > 0 || concurrency > 0 ? { rpm, tpm, concurrency } : undefined
}

export interface Count {
  readonly requests: number
  readonly tokens: number
  readonly resetMs: number
}

/** Of several limits it is the tightest that a caller should know of. */
export function figuresOf(limited: readonly Limited[], counts: readonly Count[]): Figures {
  let requests: Figure | undefined
  let tokens: Figure | undefined
  for (const [index, { limits }] of limited.entries()) {
    const count = counts[index]
    if (!count) continue
    if (limits.rpm > 0) requests = tighter(requests, limits.rpm, count.requests, count.resetMs)
    if (limits.tpm > 0) tokens = tighter(tokens, limits.tpm, count.tokens, count.resetMs)
  }
  return { ...(requests && { requests }), ...(tokens && { tokens }) }
}

function tighter(known: Figure | undefined, limit: number, used: number, resetMs: number): Figure {
  const left = Math.max(0, limit - used)
  return known && known.left <= left ? known : { limit, left, resetMs }
}
