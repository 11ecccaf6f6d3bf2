import { findBytes } from '../find-bytes.ts'

/** Longer ones have something in them. */
const LONGEST = 1024
const DATA = Buffer.from('data:')
const CONTENT = Buffer.from('"content":')
const ROLE = Buffer.from('"role":')
/** What is empty or null after its colon says nothing. */
const SAYINGS = ['"tool_calls"', '"function_call"', '"reasoning', '"audio"', '"images"', '"usage":{'].map(
  word => Buffer.from(word),
)
const FINISHED = Buffer.from('"finish_reason":"')
const SPACE = 32
const QUOTE = 34
const LETTER_N = 110

/** One frame that says who will speak, and nothing yet. Looked at without being read: every stream begins with one. */
export function opens(frames: Uint8Array): boolean {
  if (frames.length > LONGEST || findBytes(frames, ROLE) < 0) return false
  const first = findBytes(frames, DATA)
  if (first < 0 || findBytes(frames, DATA, first + 1) >= 0) return false
  const at = findBytes(frames, CONTENT)
  if (at >= 0 && !isEmpty(frames, at + CONTENT.length)) return false
  return findBytes(frames, FINISHED) < 0 && SAYINGS.every(word => findBytes(frames, word) < 0)
}

function isEmpty(bytes: Uint8Array, from: number): boolean {
  const at = bytes[from] === SPACE ? from + 1 : from
  return bytes[at] === LETTER_N || (bytes[at] === QUOTE && bytes[at + 1] === QUOTE)
}
