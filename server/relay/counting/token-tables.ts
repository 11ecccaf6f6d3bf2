/** More than twice as many as there are tokens, and a power of two. */
const SLOTS = 1 << 19
const EMPTY = -1
/** No token: lower than none, as the lowest is merged first. */
export const NONE = 0x7fffffff

/** All that is known of the tokens, in arrays that one thread can hand to another. Tokens are their ranks. */
export interface TokenTables {
  /** The token that two make, by the hash of the two, and which two those are. */
  readonly pairs: Int32Array<ArrayBuffer>
  readonly lefts: Int32Array<ArrayBuffer>
  readonly rights: Int32Array<ArrayBuffer>
  readonly tokenOfByte: Int32Array<ArrayBuffer>
  /** The tokens that are whole characters, which is nearly all, by the hash of their text. */
  readonly words: Int32Array<ArrayBuffer>
  /** The texts of all, one after the other, and where each begins; one more, so that the last ends too. */
  readonly units: Uint16Array<ArrayBuffer>
  readonly starts: Int32Array<ArrayBuffer>
}

export function createTables(tokens: number, units: number): TokenTables {
  return {
    pairs: new Int32Array(SLOTS).fill(EMPTY),
    lefts: new Int32Array(tokens),
    rights: new Int32Array(tokens),
    tokenOfByte: new Int32Array(256),
    words: new Int32Array(SLOTS).fill(EMPTY),
    units: new Uint16Array(units),
    starts: new Int32Array(tokens + 1),
  }
}

export function findMerged({ pairs, lefts, rights }: TokenTables, left: number, right: number): number {
  for (let slot = hashPair(left, right); ; slot = (slot + 1) & (SLOTS - 1)) {
    const token = pairs[slot] ?? EMPTY
    if (token === EMPTY) return NONE
    if (lefts[token] === left && rights[token] === right) return token
  }
}

export function addPair(
  { pairs, lefts, rights }: TokenTables,
  token: number,
  left: number,
  right: number,
): void {
  lefts[token] = left
  rights[token] = right
  pairs[findEmpty(pairs, hashPair(left, right))] = token
}

/** Whether this part of a text is one token. */
export function isToken(
  { words, units, starts }: TokenTables,
  text: string,
  start: number,
  end: number,
): boolean {
  for (let slot = hashText(text, start, end); ; slot = (slot + 1) & (SLOTS - 1)) {
    const token = words[slot] ?? EMPTY
    if (token === EMPTY) return false
    const from = starts[token] ?? 0
    if ((starts[token + 1] ?? 0) - from === end - start && holds(units, from, text, start, end)) return true
  }
}

/** Tokens are added in their order; those that are no text, with none. */
export function addText({ words, units, starts }: TokenTables, token: number, text: string): void {
  const from = starts[token] ?? 0
  for (let at = 0; at < text.length; at++) units[from + at] = text.charCodeAt(at)
  starts[token + 1] = from + text.length
  if (text !== '') words[findEmpty(words, hashText(text, 0, text.length))] = token
}

function holds(units: Uint16Array, from: number, text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (units[from + at - start] !== text.charCodeAt(at)) return false
  return true
}

function findEmpty(slots: Int32Array, first: number): number {
  let slot = first
  while (slots[slot] !== EMPTY) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

function hashPair(left: number, right: number): number {
  return slotOf(Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b))
}

function hashText(text: string, start: number, end: number): number {
  let mixed = 0
  for (let at = start; at < end; at++)
    mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x9e3779b1) ^ (mixed >>> 15)
  return slotOf(mixed)
}

function slotOf(mixed: number): number {
  return (mixed ^ (mixed >>> 15)) & (SLOTS - 1)
}
