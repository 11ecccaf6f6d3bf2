import type { Problem } from '../../dialects/spec.ts'
import type { AppError } from '../../errors.ts'
import type { Piece } from '../stream/conveyor.ts'
import { nothingSeen, type Seen } from './seen.ts'

/** Carries an answer that is handed on while it comes. Knows nothing of money, sockets and clocks. */
export interface Flow {
  readonly seen: Seen
  /** What may go to the client now; the last piece never does. */
  take(chunk: Uint8Array): Piece | undefined
  /** The upstream closed. True when the answer was whole. */
  end(): boolean
  /** Everything was said, and only the upstream's closing is waited for. */
  readonly closing: boolean
  /** An error that the upstream sent on the way. */
  readonly problem: Problem | undefined
  /** Set when the operator's rules end the answer here. */
  readonly refusal?: AppError | undefined
  /** What was kept back; for when the charge is on disk. */
  rest(): Piece
  /** What tells the client that the answer ends here. Undefined where bytes have no words: the connection breaks. */
  fail(problem: Problem): string | undefined
  /** What keeps a silent connection open, where that can be said. */
  readonly keepAlive: string | undefined
}

/** Bytes as they come. */
export class BytesFlow implements Flow {
  readonly seen: Seen = nothingSeen()
  readonly closing = false
  readonly problem = undefined
  readonly keepAlive = undefined
  #last: Uint8Array | undefined

  take(chunk: Uint8Array): Uint8Array | undefined {
    if (chunk.byteLength === 0) return undefined
    this.seen.bytes += chunk.byteLength
    const before = this.#last
    this.#last = chunk
    return before
  }

  end(): boolean {
    return this.#last !== undefined
  }

  rest(): Uint8Array {
    return this.#last ?? new Uint8Array()
  }

  fail(): undefined {
    return undefined
  }
}
