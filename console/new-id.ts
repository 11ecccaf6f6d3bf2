const BYTES = 16

/** Another one every time. Pages that came over plain HTTP have no `crypto.randomUUID`. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
