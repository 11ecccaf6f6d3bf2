/** Something that must never be. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export function must(isSo: boolean, invariant: string, what: () => string): void {
  if (!isSo) throw new Violation(`${invariant}: ${what()}`)
}
