import type { Edits } from '../../define.ts'

const QUOTE = 34
const COMMA = 44
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125

/**
 * Sets and removes (`undefined`) members of a JSON object in its text. Every member that is not named keeps its
 * bytes: unknown fields, the spelling of numbers, spacing, order. Takes only text that JSON.parse took as an
 * object. A name that is there twice is edited twice, because readers disagree on which one counts.
 */
export function editTopLevel(text: string, edits: Edits): string {
  const names = Object.keys(edits)
  if (names.length === 0) return text
  const met = new Set<string>()
  const open = text.indexOf('{')
  // Everything before `copied` is in `out` already or was removed.
  let out = ''
  let copied = 0
  let kept = 0
  let at = open + 1
  let memberStart = at
  for (;;) {
    at = skipSpace(text, at)
    if (text.charCodeAt(at) === CLOSE) break
    const keyEnd = skipString(text, at)
    const name = readKey(text, at, keyEnd)
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const valueEnd = skipValue(text, valueStart)
    at = skipSpace(text, valueEnd)
    if (!Object.hasOwn(edits, name)) kept++
    else {
      met.add(name)
      const value = edits[name]
      if (value !== undefined) {
        out += text.slice(copied, valueStart) + JSON.stringify(value)
        copied = valueEnd
        kept++
      } else if (kept > 0) {
        // With the comma before it.
        out += text.slice(copied, memberStart - 1)
        copied = at
      } else {
        // Nothing stands before it, so the comma after it goes too.
        out += text.slice(copied, memberStart)
        copied = text.charCodeAt(at) === COMMA ? at + 1 : at
      }
    }
    if (text.charCodeAt(at) !== COMMA) break
    at++
    memberStart = at
  }
  // `at` is the closing brace.
  const added = writeMissing(names, edits, met, kept > 0)
  if (added === '') return copied === 0 ? text : out + text.slice(copied)
  return out + text.slice(copied, at) + added + text.slice(at)
}

function writeMissing(
  names: readonly string[],
  edits: Edits,
  met: ReadonlySet<string>,
  after: boolean,
): string {
  let added = ''
  for (const name of names) {
    const value = edits[name]
    if (value === undefined || met.has(name)) continue
    added += `${after || added !== '' ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  return added
}

function readKey(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end - 1)
  return key.includes('\\') ? String(JSON.parse(text.slice(start, end))) : key
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

/** From an opening quote to just past the closing one. Long strings are leapt over, not walked. */
function skipString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end + 1
  }
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return skipString(text, start)
  if (first === OPEN || first === OPEN_LIST) return skipNested(text, start)
  let at = start + 1
  while (!endsPlain(text.charCodeAt(at))) at++
  return at
}

function skipNested(text: string, start: number): number {
  let depth = 0
  let at = start
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(text, at)
      continue
    }
    at++
    if (code === OPEN || code === OPEN_LIST) depth++
    else if (code === CLOSE || code === CLOSE_LIST) {
      depth--
      if (depth === 0) return at
    }
  }
}

function endsPlain(code: number): boolean {
  return code === COMMA || code === CLOSE || code === 32 || code === 10 || code === 13 || code === 9
}
