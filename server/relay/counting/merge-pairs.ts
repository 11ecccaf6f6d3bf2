import tokens from 'gpt-tokenizer/bpeRanks/o200k_base'

// Byte pair encoding over a table of pairs: which two tokens make which third. The package's own encoder looks
// every candidate up by its bytes, which is six times slower for Chinese, and leans on a cache whose words each
// keep the whole text alive that they were cut from.

/** More than twice as many as there are tokens, and a power of two. */
const SLOTS = 1 << 19
const EMPTY = -1
const NONE = 0x7fffffff
const LONGEST_TOKEN = 1024

const lefts = new Int32Array(SLOTS).fill(EMPTY)
const rights = new Int32Array(SLOTS)
const merged = new Int32Array(SLOTS)
const tokenOfByte = new Int32Array(256)

/** Scratch of `mergePairs`: the parts of the word, and what each makes with the next. */
let parts = new Int32Array(LONGEST_TOKEN)
let ranks = new Int32Array(LONGEST_TOKEN)

/** The tokens that are whole characters, which is nearly all. */
export const wholeTokens = new Set<string>()

function findSlot(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
  let slot = (mixed ^ (mixed >>> 15)) & (SLOTS - 1)
  while (lefts[slot] !== EMPTY && (lefts[slot] !== left || rights[slot] !== right))
    slot = (slot + 1) & (SLOTS - 1)
  return slot
}

function findMerged(left: number, right: number): number {
  const slot = findSlot(left, right)
  return lefts[slot] === EMPTY ? NONE : (merged[slot] ?? NONE)
}

/** How many tokens the first `length` bytes are, when they are one word. Takes the square of their number. */
export function mergePairs(bytes: Uint8Array, length: number): number {
  let count = length
  fillParts(bytes, count)
  for (;;) {
    const at = findLowest(count - 1)
    if (at < 0) return count
    const token = ranks[at] ?? NONE
    parts[at] = token
    count--
    for (let next = at + 1; next < count; next++) {
      parts[next] = parts[next + 1] ?? 0
      ranks[next] = ranks[next + 1] ?? NONE
    }
    if (at + 1 < count) ranks[at] = findMerged(token, parts[at + 1] ?? 0)
    if (at > 0) ranks[at - 1] = findMerged(parts[at - 1] ?? 0, token)
  }
}

function fillParts(bytes: Uint8Array, count: number): void {
  if (count > parts.length) {
    parts = new Int32Array(count * 2)
    ranks = new Int32Array(count * 2)
  }
  for (let at = 0; at < count; at++) parts[at] = tokenOfByte[bytes[at] ?? 0] ?? 0
  for (let at = 0; at + 1 < count; at++) ranks[at] = findMerged(parts[at] ?? 0, parts[at + 1] ?? 0)
}

function findLowest(pairs: number): number {
  let lowest = NONE
  let found = -1
  for (let at = 0; at < pairs; at++) {
    const rank = ranks[at] ?? NONE
    if (rank < lowest) {
      lowest = rank
      found = at
    }
  }
  return found
}

/** Tokens come in the order of their rank, so those before it leave each in the two parts that make it. */
function fillTable(): void {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(LONGEST_TOKEN)
  const encode = (token: string | readonly number[]): number => {
    if (typeof token === 'string') return encoder.encodeInto(token, bytes).written
    bytes.set(token)
    return token.length
  }
  tokens.forEach((token, rank) => {
    if (encode(token) === 1) tokenOfByte[bytes[0] ?? 0] = rank
  })
  tokens.forEach((token, rank) => {
    if (typeof token === 'string') wholeTokens.add(token)
    if (mergePairs(bytes, encode(token)) !== 2) return
    const slot = findSlot(parts[0] ?? 0, parts[1] ?? 0)
    lefts[slot] = parts[0] ?? 0
    rights[slot] = parts[1] ?? 0
    merged[slot] = rank
  })
}
fillTable()
