import type { Piece } from '../stream/conveyor.ts'
import type { KeptUsage } from './kept-answer.ts'

/** What is longer is not kept. */
const LARGEST = 1024 * 1024
/** What a piece takes besides its bytes; streams come in very small ones. */
const OVERHEAD = 128

/** What was told of an answer when it had come to a good end. */
export interface Recorded {
  readonly type: string
  readonly usage: KeptUsage
  readonly body: Uint8Array<ArrayBuffer>
}

/** Memory that all answers on their way share. It is asked for before it is used, and given back. */
export interface Room {
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

interface Terms {
  readonly room: Room
  /** How many tokens the caller's money allowed: an answer that has come to that was cut for it. */
  readonly limit: number | undefined
  onWhole(recorded: Recorded): void
  /** Once there is nothing more to come of it, or nothing can. */
  onEnd(): void
}

/** A copy of an answer while its caller gets it, and never more than the largest that is kept. */
export class Recording {
  readonly #terms: Terms
  #pieces: Uint8Array[] | undefined = []
  #length = 0
  #taken = 0

  constructor(terms: Terms) {
    this.#terms = terms
  }

  add(piece: Piece): void {
    if (!this.#pieces) return
    if (typeof piece === 'string') this.#copy(Buffer.from(piece))
    else if (piece instanceof Uint8Array) this.#copy(piece)
    else for (const part of piece) this.#copy(part)
  }

  #copy(bytes: Uint8Array): void {
    if (!this.#pieces) return
    const needed = bytes.byteLength + OVERHEAD
    this.#length += bytes.byteLength
    if (this.#length > LARGEST || !this.#terms.room.take(needed)) return this.drop()
    this.#taken += needed
    this.#pieces.push(new Uint8Array(bytes))
  }

  /** It is whole and paid. */
  finish(type: string, usage: KeptUsage): void {
    const { limit = Number.POSITIVE_INFINITY, onWhole } = this.#terms
    const output = 'told' in usage ? usage.told.output : (usage.charged.output ?? 0)
    if (this.#pieces && output < limit) onWhole({ type, usage, body: Buffer.concat(this.#pieces) })
    this.drop()
  }

  /** Nothing comes of it any more. */
  drop(): void {
    this.#pieces = undefined
    this.#terms.room.giveBack(this.#taken)
    this.#taken = 0
    this.#terms.onEnd()
  }
}
