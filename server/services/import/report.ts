/** Why nothing was taken over, told in one sentence. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** What came, and what did not come as it was. */
export class ImportReport {
  readonly came = new Map<string, number>()
  readonly notes: string[] = []

  add(what: string, count: number): void {
    this.came.set(what, (this.came.get(what) ?? 0) + count)
  }

  note(what: string): void {
    this.notes.push(what)
  }
}
