import { endOfFrames } from '../../dialects/sse.ts'
import { AppError } from '../../errors.ts'

/** The last event repeats the whole answer; nothing that a vendor sends is longer. */
const LONGEST_FRAME = 64 * 1024 * 1024
/** A blank line may lie across two chunks. */
const OVERLAP = 3
const NONE = new Uint8Array()

/** Puts events together that come in chunks cut anywhere. */
export class WholeFrames {
  readonly #pieces: Uint8Array[] = []
  #length = 0

  /** Whole events only; '' while the next is not whole. */
  push(chunk: Uint8Array): string {
    const before = this.#pieces.at(-1)?.subarray(-OVERLAP) ?? NONE
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length > LONGEST_FRAME) throw new AppError('outbound.too-large')
    if (endOfFrames(Buffer.concat([before, chunk])) === 0) return ''
    const all = Buffer.concat(this.#pieces.splice(0))
    const end = endOfFrames(all)
    this.#length = all.length - end
    if (end < all.length) this.#pieces.push(all.subarray(end))
    return all.subarray(0, end).toString('utf8')
  }
}
