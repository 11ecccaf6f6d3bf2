/**
 * Reads a snapshot's source, never twice at once: an older state cannot take the place of a newer one, and all who
 * ask while it is being read share the next reading.
 */
export class Readings {
  readonly #read: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Resolves after a reading that began after this call. */
  again(): Promise<void> {
    this.#next ??= this.#readAfter(this.#running)
    return this.#next
  }

  async #readAfter(earlier: Promise<void> | undefined): Promise<void> {
    await earlier?.catch(() => {})
    this.#running = this.#next
    this.#next = undefined
    await this.#read()
  }
}
