import { findBytes } from '../find-bytes.ts'

const USAGE = Buffer.from('"usage"')
const NULL = Buffer.from('null')
const SPACE = 32
const COMMA = 44
const COLON = 58
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Puts blanks where frames say `"usage":null`. A vendor that is asked for usage says so in every frame before the one
 * that has it; of a client that has not asked, some (Mistral's own) do not expect it and fail. The bytes stay where they
 * are, and nothing is copied. Inside of a text the quotes would be escaped, so this is always a field.
 */
export function blankNullUsage(bytes: Uint8Array): void {
  for (let at = findBytes(bytes, USAGE); at >= 0; at = findBytes(bytes, USAGE, at + 1)) {
    const colon = skipSpace(bytes, at + USAGE.length)
    const value = skipSpace(bytes, colon + 1)
    if (bytes[colon] !== COLON || !standsAt(bytes, NULL, value)) continue
    const before = skipSpaceBack(bytes, at - 1)
    const after = skipSpace(bytes, value + NULL.length)
    const isLast = bytes[after] === CLOSE_OBJECT
    if (!isLast && bytes[after] !== COMMA) continue
    if (bytes[before] === COMMA) bytes.fill(SPACE, before, isLast ? after : value + NULL.length)
    else if (bytes[before] === OPEN_OBJECT) bytes.fill(SPACE, at, isLast ? after : after + 1)
  }
}

function standsAt(bytes: Uint8Array, sign: Uint8Array, at: number): boolean {
  for (let index = 0; index < sign.length; index++) if (bytes[at + index] !== sign[index]) return false
  return true
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at++
  return at
}

function skipSpaceBack(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at--
  return at
}
