import type { TextPlace } from '../request/spoken-texts.ts'
import type { CallGuard } from './call-guard.ts'

const NAME = Buffer.from('"revised_prompt"')
const QUOTE = 34
const BACKSLASH = 92
const before = /^\s*:\s*$/

/** A text in an answer: where its quotes stand, and what it says. */
interface Found {
  readonly start: number
  readonly end: number
  text: string
}

/**
 * An answer of pictures with the words that its vendor has put in place of the prompt. Pictures are millions of
 * characters, which nobody parses for that: the words are looked for in the bytes, and all else stays as it came.
 */
export async function guardPictures(
  guard: CallGuard,
  written: string | Uint8Array<ArrayBuffer>,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(written)
  const all = findPrompts(bytes)
  const places = all.map((found): TextPlace => {
    const put = (text: string): void => {
      found.text = text
    }
    return { text: found.text, put }
  })
  if (all.length === 0 || !(await guard.readAnswer(places))) return written
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of all) {
    pieces.push(bytes.subarray(at, start), Buffer.from(JSON.stringify(text)))
    at = end
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}

function findPrompts(bytes: Buffer): Found[] {
  const all: Found[] = []
  for (let at = bytes.indexOf(NAME); at >= 0; at = bytes.indexOf(NAME, at + NAME.length)) {
    const after = at + NAME.length
    const start = bytes.indexOf(QUOTE, after)
    if (start < 0 || !before.test(bytes.toString('latin1', after, start))) continue
    const end = endOfText(bytes, start)
    const text = readText(bytes.toString('utf8', start, end))
    if (text !== undefined) all.push({ start, end, text })
  }
  return all
}

/** Behind the quote that ends it. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at + 1
  }
  return bytes.length
}

function readText(json: string): string | undefined {
  try {
    return String(JSON.parse(json))
  } catch {
    return undefined
  }
}
