import { BytesFlow } from './flow.ts'
import { peekAnswer } from './peek-answer.ts'

/** As much of either end as usage is looked for in. */
const END = 64 * 1024

/** A JSON answer that is too large to be held: only its ends are kept to be looked at. */
export class LargeJsonFlow extends BytesFlow {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  override take(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#head.length < END) this.#head = Buffer.concat([this.#head, chunk.subarray(0, END)])
    const kept =
      chunk.byteLength < END
        ? this.#tail.subarray(Math.max(0, this.#tail.length + chunk.byteLength - END))
        : []
    this.#tail = Buffer.concat([Buffer.from(kept), chunk.subarray(-END)])
    return super.take(chunk)
  }

  override end(): boolean {
    return peekAnswer(this.seen, this.#head, this.#tail)
  }
}
