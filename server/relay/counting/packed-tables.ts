// The filled tables as bytes: the executable carries them, for to fill them takes a core half a second.

import type { TokenTables } from './token-tables.ts'

const ARRAYS = 7
const HEAD = ARRAYS * Int32Array.BYTES_PER_ELEMENT

export function packTables(tables: TokenTables): Uint8Array {
  const { pairs, lefts, rights, tokenOfByte, words, units, starts } = tables
  const arrays = [pairs, lefts, rights, tokenOfByte, words, units, starts]
  const lengths = Int32Array.from(arrays, ({ byteLength }) => byteLength)
  const parts = [lengths, ...arrays].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  return Buffer.concat(parts)
}

export function unpackTables(packed: Uint8Array): TokenTables {
  const lengths = new Int32Array(new Uint8Array(packed.subarray(0, HEAD)).buffer)
  let [array, at] = [0, HEAD]
  const take = (): ArrayBuffer => {
    const from = at
    at += lengths[array++] ?? 0
    return new Uint8Array(packed.subarray(from, at)).buffer
  }
  return {
    pairs: new Int32Array(take()),
    lefts: new Int32Array(take()),
    rights: new Int32Array(take()),
    tokenOfByte: new Int32Array(take()),
    words: new Int32Array(take()),
    units: new Uint16Array(take()),
    starts: new Int32Array(take()),
  }
}
