import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import type { AppError } from '../../errors.ts'

/** Bytes that passed, or text that was written; several where joining them would only be copying. */
export type Piece = Uint8Array | string | readonly Uint8Array[]

export function joinPieces(one: Piece | undefined, other: Piece | undefined): Piece | undefined {
  if (one === undefined || other === undefined) return one ?? other
  if (typeof one === 'string' && typeof other === 'string') return one + other
  return [one, other].flatMap(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece))
}

/**
 * Carries one streamed answer from the upstream's bytes to the client's: as they are, or in other words.
 * Knows nothing of money, sockets and clocks.
 */
export interface Conveyor {
  /** What may go to the client now. Everything from the first frame that completes the answer is kept back. */
  take(chunk: Uint8Array): Piece | undefined
  /** Whether nothing looks at the last chunk any more: it was written, or copied. Absent: it may. */
  readonly isFree?: boolean
  /** Whether nothing but the opening of an answer has come so far: another channel may still give one. */
  readonly isOpening?: boolean
  /** The upstream closed. True when the answer was whole. */
  end(): boolean
  /** Whether the frames that complete the answer have come and only the upstream's closing is waited for. */
  readonly closing: boolean
  /** Whether the answer is whole though the upstream goes on: then it is not read any further. */
  readonly hasEnough?: boolean
  /** Whether the answer is whole and the upstream is read on for what it cost. */
  readonly awaitsUsage?: boolean
  /** That may not have been all: this dialect has no end mark but the upstream's closing. */
  readonly mayGoOn?: boolean
  /** An error that the upstream sent inside the stream. */
  readonly problem: Problem | undefined
  /** Set when the operator's rules end the answer here. */
  readonly refusal?: AppError | undefined
  /** After the end: all that `rest` will give. Absent where that is written only then. */
  held?(): Piece
  /** What was kept back; for when the charge is on disk. */
  rest(): Piece
  /** What tells the client that the answer ends here and is not whole. */
  fail(problem: Problem): string
  readonly usage: TokenUsage | undefined
  /** The vendor's own tools that were used so far. */
  readonly toolUse?: ToolUse | undefined
  /** Whether something was done that costs, and of which the upstream tells at the end only. */
  readonly tellsLater?: boolean | undefined
  /** What the upstream keeps of the answer under these ids, where what it said has passed. */
  readonly stored?: StoredIds | undefined
  /** False while something has been produced since: then that usage knows the input and not all the output. */
  readonly usageIsFinal: boolean
  /** Usage that the upstream left out and we have counted, for clients that are told. */
  supply(usage: TokenUsage): void
  /** Output tokens so far: a guess that is rather too high, and what is certain. */
  readonly guessed: number
  readonly certain: number
  /** Counts what has passed, so that little of `guessed` is a guess. */
  catchUp(): Promise<void>
  /** Output tokens counted, when the upstream did not say. */
  count(): Promise<number>
  /** The count is not needed. */
  forget(): void
}
