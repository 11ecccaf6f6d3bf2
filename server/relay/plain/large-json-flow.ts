import { BytesFlow } from './flow.ts'
import { countOccurrences, peekAnswer } from './peek-answer.ts'

/** As much of either end as usage is looked for in. */
const END = 64 * 1024
/** What every picture in an answer stands behind. */
const PICTURE = '"b64_json"'

/** A JSON answer that is too large to be held: only its ends are kept to be looked at. */
export class LargeJsonFlow extends BytesFlow {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  override take(chunk: Uint8Array): Uint8Array | undefined {
    // Of one that begins in a chunk before, what is not yet counted ends here.
    const seam = Buffer.concat([
      this.#tail.subarray(1 - PICTURE.length),
      chunk.subarray(0, PICTURE.length - 1),
    ])
    this.seen.pictures += countOccurrences(seam, PICTURE) + countOccurrences(bufferOf(chunk), PICTURE)
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

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
