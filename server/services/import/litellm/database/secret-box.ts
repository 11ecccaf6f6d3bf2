const NONCE = 24
const TAG = 16
const BLOCK = 64
const ROUNDS = 20
/** "expand 32-byte k", as four little-endian words. */
const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const
const PRIME = (1n << 130n) - 5n
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn

/**
 * Opens what NaCl's secretbox has sealed (XSalsa20 and Poly1305, the nonce in front): what LiteLLM kept its secrets in
 * before it came to AES. Undefined where the key is another, or the bytes are none of its.
 */
export function openSecretBox(sealed: Uint8Array, key: Uint8Array): Buffer | undefined {
  if (sealed.length < NONCE + TAG) return undefined
  const nonce = sealed.subarray(0, NONCE)
  const tag = sealed.subarray(NONCE, NONCE + TAG)
  const body = sealed.subarray(NONCE + TAG)
  const stream = keyStream(hsalsa20(key, nonce.subarray(0, 16)), nonce.subarray(16), 32 + body.length)
  if (!Buffer.from(poly1305(body, stream.subarray(0, 32))).equals(tag)) return undefined
  return Buffer.from(body.map((byte, at) => byte ^ (stream[32 + at] ?? 0)))
}

function keyStream(key: Uint8Array, nonce: Uint8Array, length: number): Uint8Array {
  const stream = new Uint8Array(Math.ceil(length / BLOCK) * BLOCK)
  for (let block = 0; block * BLOCK < length; block++) {
    const words = stateOf(key, [...wordsOf(nonce), block, 0])
    const mixed = mix(words)
    stream.set(bytesOf(mixed.map((word, at) => (word + (words[at] ?? 0)) >>> 0)), block * BLOCK)
  }
  return stream
}

/** Another key for each nonce, of its first part. */
function hsalsa20(key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const mixed = mix(stateOf(key, wordsOf(nonce)))
  return bytesOf([0, 5, 10, 15, 6, 7, 8, 9].map(at => mixed[at] ?? 0))
}

function stateOf(key: Uint8Array, input: readonly number[]): number[] {
  const half = wordsOf(key)
  const [a, b, c, d] = SIGMA
  return [a, ...half.slice(0, 4), b, ...input, c, ...half.slice(4), d]
}

/** Salsa20's rounds, by turns down the columns and along the rows. */
function mix(state: readonly number[]): number[] {
  const x = [...state]
  const turn = (to: number, from: number, more: number, by: number): void => {
    const sum = ((x[from] ?? 0) + (x[more] ?? 0)) | 0
    x[to] = (x[to] ?? 0) ^ ((sum << by) | (sum >>> (32 - by)))
  }
  const quarter = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): void => {
    turn(b, a, d, 7)
    turn(c, b, a, 9)
    turn(d, c, b, 13)
    turn(a, d, c, 18)
  }
  const columns = [
    [0, 4, 8, 12],
    [5, 9, 13, 1],
    [10, 14, 2, 6],
    [15, 3, 7, 11],
  ]
  const rows = [
    [0, 1, 2, 3],
    [5, 6, 7, 4],
    [10, 11, 8, 9],
    [15, 12, 13, 14],
  ]
  for (let round = 0; round < ROUNDS; round += 2) {
    columns.forEach(quarter)
    rows.forEach(quarter)
  }
  return x.map(word => word >>> 0)
}

function poly1305(message: Uint8Array, key: Uint8Array): Uint8Array {
  const r = numberOf(key.subarray(0, 16)) & CLAMP
  const s = numberOf(key.subarray(16))
  let sum = 0n
  for (let at = 0; at < message.length; at += 16) {
    const block = message.subarray(at, at + 16)
    sum = ((sum + numberOf(block) + (1n << BigInt(8 * block.length))) * r) % PRIME
  }
  const tag = BigInt.asUintN(128, sum + s)
  return Uint8Array.from({ length: TAG }, (_, at) => Number((tag >> BigInt(8 * at)) & 0xffn))
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(4 * at, true))
}

function bytesOf(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * words.length)
  const view = new DataView(bytes.buffer)
  for (const [at, word] of words.entries()) view.setUint32(4 * at, word, true)
  return bytes
}
