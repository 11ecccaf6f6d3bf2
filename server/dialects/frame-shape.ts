import { asText } from './json.ts'

/** What is longer costs by its length, and knowing its shape saves little. */
const LONGEST = 4096
const MOST_DIGITS = 15
const QUOTE = '"'
const BACKSLASH = 92
const ZERO = 48
const NINE = 57

/** Finds numbers by the names they have, in JSON text that has no escapes. */
export function numbersNamed(...names: [string, ...string[]]): RegExp {
  return new RegExp(`(?<="(?:${names.join('|')})": ?)\\d+`)
}

export const noNumbers = /(?!)/

/**
 * A JSON text with a hole where one of its strings stood, and with holes for the numbers that may vary. What
 * has the same shape is the same JSON but for these values: its string can be cut out, the rest left unread.
 */
export class FrameShape {
  /** What stands before the string, with its opening quote, and what stands after it, cut at the numbers. */
  readonly #head: readonly string[]
  readonly #tail: readonly string[]

  private constructor(head: readonly string[], tail: readonly string[]) {
    this.#head = head
    this.#tail = tail
  }

  /** `data` is JSON, and `value` that of one of its strings. Undefined when it is not certain which. */
  static of(data: string, value: string, numbers: RegExp): FrameShape | undefined {
    const quoted = JSON.stringify(value)
    const at = data.length > LONGEST ? -1 : data.indexOf(quoted)
    if (at < 0 || data.indexOf(quoted, at + 1) >= 0) return undefined
    // Text of its own: what is cut from another keeps all of that alive.
    const own = Buffer.from(data).toString()
    const head = own.slice(0, at + 1)
    const tail = own.slice(at + quoted.length - 1)
    // With an escape elsewhere, the same value may stand there in another spelling.
    if (head.includes('\\') || tail.includes('\\')) return undefined
    return new FrameShape(head.split(numbers), tail.split(numbers))
  }

  /** The string of what stands from `from` to `to`, if that has this shape; not all that has is recognised. */
  read(text: string, from: number, to: number): string | undefined {
    const start = skip(text, from, this.#head)
    if (start < 0) return undefined
    let end = text.indexOf(QUOTE, start)
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf(QUOTE, end + 1)
    if (end < 0 || skip(text, end, this.#tail) !== to) return undefined
    const raw = text.slice(start, end)
    const quoted = JSON.stringify(raw)
    // No longer: nothing is escaped in it or should be. Cut from here, it does not keep the whole text alive.
    if (quoted.length === raw.length + 2) return quoted.slice(1, -1)
    return parseString(text.slice(start - 1, end + 1))
  }
}

/** Where the text goes on after these parts and the numbers between them; -1 when something else is there. */
function skip(text: string, from: number, parts: readonly string[]): number {
  let at = from
  for (let index = 0; index < parts.length; index++) {
    if (index > 0) at = skipNumber(text, at)
    const part = parts[index] ?? ''
    if (at < 0 || !text.startsWith(part, at)) return -1
    at += part.length
  }
  return at
}

/** Digits as in JSON, where only zero itself begins with a zero, and no more than a number is exact with. */
function skipNumber(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  const digits = at - from
  return digits === 0 || digits > MOST_DIGITS || (digits > 1 && text.charCodeAt(from) === ZERO) ? -1 : at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** What holds more than one string, or none, does not parse. */
function parseString(quoted: string): string | undefined {
  try {
    return asText(JSON.parse(quoted))
  } catch {
    return undefined
  }
}
