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
  /** The last bytes of what is not whole yet, however many pieces they came in. */
  #before: Uint8Array = NONE

  /** Whole events only; '' while the next is not whole. */
  push(chunk: Uint8Array): string {
    const seen = Buffer.concat([this.#before, chunk])
    this.#before = seen.subarray(-OVERLAP)
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length > LONGEST_FRAME) throw new AppError('outbound.too-large')
    if (endOfFrames(seen) === 0) return ''
    const all = Buffer.concat(this.#pieces.splice(0))
    const end = endOfFrames(all)
    const rest = all.subarray(end)
    this.#length = rest.length
    this.#before = rest.subarray(-OVERLAP)
    if (rest.length > 0) this.#pieces.push(rest)
    return all.subarray(0, end).toString('utf8')
  }
}
