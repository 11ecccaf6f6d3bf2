/** So many are put together as soon as they are there: a piece takes a hundred bytes besides its letters. */
const MANY = 1024

/** A text that comes in pieces, however small, and is wanted as one. */
export class JoinedText {
  length = 0
  #joined: string[] = []
  #loose: string[] = []

  add(text: string): void {
    this.length += text.length
    this.#loose.push(text)
    if (this.#loose.length < MANY) return
    this.#joined.push(this.#loose.join(''))
    this.#loose = []
  }

  /** All of it; nothing is left. */
  take(): string {
    const pieces = [...this.#joined, ...this.#loose]
    this.length = 0
    this.#joined = []
    this.#loose = []
    return pieces.join('')
  }
}
