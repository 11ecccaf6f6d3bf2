import type { RanIn } from './openai-responses/ran-in.ts'
import type { Problem, TokenUsage } from './spec.ts'
import type { ToolUse } from './usage.ts'

/** What to do with a frame that passes from an upstream to a client of the same dialect. */
export type Verdict = 'pass' | 'hold' | 'drop'

/** By these a later request may name an answer, or items of it. */
export interface StoredIds {
  readonly response: string | undefined
  readonly items: readonly string[]
  /** In which code was run for it. */
  readonly containers?: readonly RanIn[] | undefined
  /** What code wrote for it. */
  readonly files?: readonly string[] | undefined
}

/** Watches frames that are forwarded as they came. Made for one answer. */
export interface StreamWatcher {
  /**
   * Whether a chunk of whole frames must be looked at one by one. Has to be cheap, may say yes too often and
   * never no wrongly. Bytes in between are not decoded at all.
   */
  mayMatter(chunk: Uint8Array): boolean
  /** Blanks out, in place, what a chunk of whole frames says only because we asked for something the client has not. */
  blank?(chunk: Uint8Array): void
  /**
   * One frame of such a chunk. `hold` is for what completes the answer: the client gets it when the charge is
   * on disk. Once a frame is held, all that follow are too.
   */
  look(event: string, data: string): Verdict
  /** The last usage seen. */
  readonly usage: TokenUsage | undefined
  /** An error that came inside the stream; the frame itself is dropped and written anew. */
  readonly problem: Problem | undefined
  /** Whether the answer was whole, if the connection ended now. */
  readonly complete: boolean
  /** Whether the answer is whole, and more may be told of it: of what it cost, for one. */
  readonly awaitsUsage?: boolean
  /** The vendor's own tools that were used so far, which a usage before the last does not tell. */
  readonly toolUse?: ToolUse | undefined
  /** Whether something was done that costs, and of which only the last usage tells. */
  readonly tellsLater?: boolean
  /** What the upstream keeps of it, where the dialect has such. */
  readonly stored?: StoredIds | undefined
}
