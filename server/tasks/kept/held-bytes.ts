const BLOCK = 64 * 1024

/** What has come, however small the pieces were in which it came, until nobody wants it again. */
export class HeldBytes {
  /** Of all that has come. */
  length = 0
  /** Each is full but the last: what comes next is written behind what is there. */
  readonly #blocks: Buffer[] = []
  /** How many there were before them. */
  #gone = 0

  add(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      const used = this.length % BLOCK
      const block = (used > 0 && this.#blocks.at(-1)) || Buffer.alloc(BLOCK)
      if (used === 0) this.#blocks.push(block)
      const copied = bytes.copy(block, used, from)
      from += copied
      this.length += copied
    }
  }

  /** What stands behind so many, or the beginning of it; undefined when nothing does yet. */
  behind(count: number): Buffer | undefined {
    if (count >= this.length) return undefined
    const block = this.#blocks[Math.floor(count / BLOCK) - this.#gone]
    if (!block) throw new Error('a piece of a file was sent on, and is not kept')
    const start = count % BLOCK
    return block.subarray(start, start + this.length - count)
  }

  /** Whole blocks of what stands before so many. */
  drop(count: number): void {
    const over = Math.floor(count / BLOCK) - this.#gone
    this.#blocks.splice(0, over)
    this.#gone += over
  }
}
