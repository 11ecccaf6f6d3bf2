import { findBytes } from '../find-bytes.ts'
import { type JsonObject, parseObject } from '../json.ts'

export function lastOf(bytes: Uint8Array, wanted: Uint8Array): number {
  let last = -1
  for (let at = findBytes(bytes, wanted); at >= 0; at = findBytes(bytes, wanted, at + 1)) last = at
  return last
}

/** The first object in these bytes, in whose strings no brace stands. */
export function parseFirst(bytes: Uint8Array): JsonObject | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  const from = text.indexOf('{')
  let depth = 0
  for (let at = from; from >= 0 && at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return parseObject(text.slice(from, at + 1))
  }
  return undefined
}
