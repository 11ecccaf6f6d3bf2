import type { Piece } from '../stream/conveyor.ts'
import type { KeptUsage } from './kept-answer.ts'

/** What is longer is not kept. */
const LARGEST = 1024 * 1024

/** What was told of an answer when it had come to a good end. */
export interface Recorded {
  readonly type: string
  readonly usage: KeptUsage
  readonly body: Uint8Array<ArrayBuffer>
}

/** A copy of an answer while its caller gets it, and never more than the largest that is kept. */
export class Recording {
  readonly #limit: number
  readonly #onWhole: (recorded: Recorded) => void
  #pieces: Uint8Array[] | undefined = []
  #length = 0

  /** `limit` is how many tokens the caller's money allowed: an answer that has come to that was cut for it. */
  constructor(limit = Number.POSITIVE_INFINITY, onWhole: (recorded: Recorded) => void) {
    this.#limit = limit
    this.#onWhole = onWhole
  }

  add(piece: Piece): void {
    if (typeof piece === 'string') this.#copy(Buffer.from(piece))
    else if (piece instanceof Uint8Array) this.#copy(new Uint8Array(piece))
    else for (const part of piece) this.#copy(new Uint8Array(part))
  }

  #copy(bytes: Uint8Array): void {
    this.#length += bytes.byteLength
    if (this.#length > LARGEST) this.#pieces = undefined
    this.#pieces?.push(bytes)
  }

  /** It is whole and paid. */
  finish(type: string, usage: KeptUsage): void {
    const output = 'told' in usage ? usage.told.output : (usage.charged.output ?? 0)
    if (!this.#pieces || output >= this.#limit) return
    this.#onWhole({ type, usage, body: Buffer.concat(this.#pieces) })
    this.#pieces = undefined
  }
}
