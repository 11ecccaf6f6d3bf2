const { indexOf } = Buffer.prototype

/** Where `sign` stands, or -1. For chunks as they come: to make a Buffer of one costs more than to search it. */
export function findBytes(bytes: Uint8Array, sign: Uint8Array, from = 0): number {
  return indexOf.call(bytes, sign, from)
}
