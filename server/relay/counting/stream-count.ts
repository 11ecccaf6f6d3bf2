import { lastSeam } from './last-seam.ts'

const HAND_OVER_CHARS = 32 * 1024
/** Bytes that may wait for the thread. */
const MOST_AWAY = 1024 * 1024
/** A piece of a few letters takes the memory of many: these are joined into a block. */
const PIECES_TO_JOIN = 64

/** Counts the text of one answer while it passes. What it holds is bounded, however long the answer. */
export class StreamCount {
  readonly #count: (text: string) => Promise<number>
  #pieces: string[] = []
  #blocks: string[] = []
  #blockBytes = 0
  #chars = 0
  #counted = 0
  /** Tokens of what came faster than it could be counted. */
  #estimated = 0
  /** Bytes of what was handed over and has not come back. */
  #awayBytes = 0
  #away: Promise<void>[] = []
  #isOver = false

  constructor(count: (text: string) => Promise<number>) {
    this.#count = count
  }

  add(text: string): void {
    if (this.#isOver || text === '') return
    this.#pieces.push(text)
    this.#chars += text.length
    if (this.#pieces.length === PIECES_TO_JOIN) this.#join()
    if (this.#chars > HAND_OVER_CHARS) this.#handOver(false)
  }

  /** Of what is no text. */
  addTokens(tokens: number): void {
    if (!this.#isOver) this.#counted += tokens
  }

  /** How much is held here, in characters. */
  get held(): number {
    return this.#chars
  }

  /** Counted so far: there is certainly no less. */
  get certain(): number {
    return this.#counted
  }

  /** Counted as far as it is, the rest estimated. */
  get soFar(): number {
    let bytes = this.#awayBytes + this.#blockBytes
    for (const piece of this.#pieces) bytes += Buffer.byteLength(piece)
    return this.#counted + this.#estimated + estimateTokens(bytes)
  }

  /** Counts what has come, so that only what comes meanwhile is estimated. */
  async catchUp(): Promise<void> {
    if (this.#chars > 0 && !this.#isOver) this.#handOver(false)
    await Promise.all(this.#away)
  }

  /** All of it, counted; estimated where the thread did not keep up. Never rejects. */
  async total(): Promise<number> {
    this.#isOver = true
    if (this.#chars > 0) this.#handOver(true)
    await Promise.all(this.#away)
    return this.#counted + this.#estimated
  }

  /** The answer said itself how long it was: what is held is dropped, uncounted. */
  discard(): void {
    this.#isOver = true
    this.#drop()
  }

  #join(): void {
    const block = this.#pieces.join('')
    this.#pieces = []
    this.#blocks.push(block)
    this.#blockBytes += Buffer.byteLength(block)
  }

  #handOver(last: boolean): void {
    this.#join()
    const all = this.#blocks.join('')
    this.#drop()
    const end = last ? all.length : lastSeam(all)
    this.#keep(all.slice(end))
    if (end === 0) return
    const text = all.slice(0, end)
    const bytes = Buffer.byteLength(text)
    if (this.#awayBytes > MOST_AWAY) {
      this.#estimated += estimateTokens(bytes)
      return
    }
    this.#awayBytes += bytes
    const coming = this.#count(text).then(tokens => {
      this.#counted += tokens
      this.#awayBytes -= bytes
      this.#away.splice(this.#away.indexOf(coming), 1)
    })
    this.#away.push(coming)
  }

  /** Its last word may go on. */
  #keep(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#chars = text.length
  }

  #drop(): void {
    this.#pieces = []
    this.#blocks = []
    this.#blockBytes = 0
    this.#chars = 0
  }
}

/** English and Chinese alike come to a little over four bytes a token. */
export function estimateTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / 4)
}
