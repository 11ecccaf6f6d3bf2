/** So many are put together as soon as they are there: a piece takes a hundred bytes besides its own. */
const MANY = 1024

/** What comes in pieces, however small whoever sends them makes them, and is wanted as one. */
export class JoinedBytes {
  length = 0
  #joined: Uint8Array[] = []
  #loose: Uint8Array[] = []

  add(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return
    this.length += bytes.byteLength
    this.#loose.push(bytes)
    if (this.#loose.length < MANY) return
    this.#joined.push(Buffer.concat(this.#loose))
    this.#loose = []
  }

  /** How many are held. */
  get pieces(): number {
    return this.#joined.length + this.#loose.length
  }

  /** Of one piece the piece itself. */
  whole(): Buffer {
    const [only = nothing, ...others] = [...this.#joined, ...this.#loose]
    if (others.length > 0) return Buffer.concat([only, ...others])
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  }

  clear(): void {
    this.length = 0
    this.#joined = []
    this.#loose = []
  }
}

const nothing = Buffer.alloc(0)
