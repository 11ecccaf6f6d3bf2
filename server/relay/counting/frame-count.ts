const HAND_OVER_BYTES = 64 * 1024
const MOST_AWAY = 256 * 1024
/** Most of a frame is not text. Used until some of the stream has been counted and shows how it is. */
const BYTES_PER_TOKEN = 40

/** The counting thread, as one stream sees it. */
interface FramesThread {
  /** Undefined when it cannot be known; the stream is then lost to the thread. Takes the bytes for itself. */
  count(bytes: Uint8Array<ArrayBuffer>, first: boolean, last: boolean): Promise<number | undefined>
  forget(): void
}

/** Counts one stream from the bytes that pass, without decoding any of them here. */
export class FrameCount {
  readonly #thread: FramesThread
  #chunks: Uint8Array[] = []
  #chunkBytes = 0
  #counted = 0
  #countedBytes = 0
  /** Handed over and not come back. */
  #awayBytes = 0
  #away: Promise<void>[] = []
  #hasBegun = false
  /** The thread has lost its place in this stream: from then on it is estimated. */
  #isLost = false
  #lostBytes = 0
  #isOver = false

  constructor(thread: FramesThread) {
    this.#thread = thread
  }

  /** Keeps the chunk until it is handed over; it must not be written to. */
  add(chunk: Uint8Array): void {
    if (this.#isOver || chunk.byteLength === 0) return
    if (this.#isLost) {
      this.#lostBytes += chunk.byteLength
      return
    }
    this.#chunks.push(chunk)
    this.#chunkBytes += chunk.byteLength
    if (this.#chunkBytes > HAND_OVER_BYTES) this.#handOver(false)
  }

  /** How much is held here, in bytes. */
  get held(): number {
    return this.#chunkBytes
  }

  /** Counted so far: there is certainly no less. */
  get certain(): number {
    return this.#counted
  }

  /** Counted as far as it is, the rest estimated. */
  get soFar(): number {
    const perToken =
      this.#countedBytes === 0 ? BYTES_PER_TOKEN : this.#countedBytes / Math.max(1, this.#counted)
    return this.#counted + Math.ceil((this.#chunkBytes + this.#awayBytes + this.#lostBytes) / perToken)
  }

  /** Counts what has come, so that only what comes meanwhile is estimated. */
  async catchUp(): Promise<void> {
    if (this.#chunkBytes > 0 && !this.#isOver) this.#handOver(false)
    await Promise.all(this.#away)
  }

  /** All of it, counted; estimated where the thread lost it. Never rejects. */
  async total(): Promise<number> {
    if (!this.#isOver && !this.#isLost && (this.#hasBegun || this.#chunkBytes > 0)) this.#handOver(true)
    this.#isOver = true
    await Promise.all(this.#away)
    return this.soFar
  }

  /** The stream said itself how long it was: what is held is dropped, uncounted. */
  discard(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#drop()
    if (this.#hasBegun && !this.#isLost) this.#thread.forget()
  }

  #handOver(last: boolean): void {
    // The thread does not keep up: what is sent faster than it can be read is estimated.
    if (this.#awayBytes > MOST_AWAY) return this.#lose(0)
    const bytes = joinChunks(this.#chunks, this.#chunkBytes)
    const size = this.#chunkBytes
    this.#drop()
    this.#awayBytes += size
    const coming = this.#thread.count(bytes, !this.#hasBegun, last).then(tokens => {
      this.#settle(size, tokens)
      this.#away.splice(this.#away.indexOf(coming), 1)
    })
    this.#away.push(coming)
    this.#hasBegun = true
  }

  #settle(size: number, tokens: number | undefined): void {
    this.#awayBytes -= size
    if (tokens === undefined) return this.#lose(size)
    this.#counted += tokens
    this.#countedBytes += size
  }

  #lose(size: number): void {
    this.#lostBytes += size + this.#chunkBytes
    this.#drop()
    if (!this.#isLost) this.#thread.forget()
    this.#isLost = true
  }

  #drop(): void {
    this.#chunks = []
    this.#chunkBytes = 0
  }
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    joined.set(chunk, at)
    at += chunk.byteLength
  }
  return joined
}
