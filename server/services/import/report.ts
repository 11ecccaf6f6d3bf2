/** Why nothing was taken over, told in one sentence. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** What came, and what did not come as it was. */
export class ImportReport {
  readonly came = new Map<string, number>()
  readonly notes: string[] = []
  /** What is said of many together, and of how many. */
  readonly tallies = new Map<string, number>()
  readonly #onProgress: (what: string, soFar: number) => void

  constructor(onProgress: (what: string, soFar: number) => void) {
    this.#onProgress = onProgress
  }

  add(what: string, count: number): void {
    const soFar = (this.came.get(what) ?? 0) + count
    this.came.set(what, soFar)
    this.#onProgress(what, soFar)
  }

  /** Names from elsewhere are in it: nothing of them may move what the terminal shows. What joins letters moves nothing. */
  note(what: string): void {
    this.notes.push(what.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '�'))
  }

  tally(what: string, count = 1): void {
    if (count > 0) this.tallies.set(what, (this.tallies.get(what) ?? 0) + count)
  }
}
