import { JoinedBytes } from '../../relay/request/joined-bytes.ts'

const NEW_LINE = 10

/** Bytes to lines. One that is longer than `longest` is undefined, and was never held. */
export class LineSplitter {
  readonly #longest: number
  readonly #line = new JoinedBytes()
  /** Also of what was not held. */
  #length = 0

  /** `begun` is of a line whose end is still to come. */
  constructor(longest: number, begun?: Uint8Array) {
    this.#longest = longest
    if (begun) this.#keep(begun)
  }

  *push(bytes: Uint8Array): Generator<string | undefined> {
    let from = 0
    for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, from)) {
      this.#keep(bytes.subarray(from, at))
      yield this.end()
      from = at + 1
    }
    this.#keep(bytes.subarray(from))
  }

  /** What stands after the last line end, and may go on; undefined where that is too long already. */
  get rest(): Uint8Array | undefined {
    return this.#length > this.#longest ? undefined : this.#line.whole()
  }

  /** What stands after the last line end, '' when nothing does. */
  end(): string | undefined {
    const isTooLong = this.#length > this.#longest
    const line = isTooLong ? undefined : this.#line.whole().toString('utf8')
    this.#line.clear()
    this.#length = 0
    return line
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length
    if (this.#length > this.#longest) this.#line.clear()
    else this.#line.add(bytes)
  }
}
