import type { Line } from './line-differences.ts'

/** Two texts beside each other: what is only in the one faces what has come in its place. */
export interface Pair {
  readonly one: string | undefined
  readonly other: string | undefined
  readonly isSame: boolean
}

/** Where nothing has changed for long, how many lines nobody has to read. */
export interface Fold {
  readonly folded: number
}

/** Lines that stay in sight before and after what has changed. */
const CONTEXT = 3
/** Fewer are not worth a click. */
const LEAST_FOLDED = 4

export function pairLines(lines: readonly Line[]): Pair[] {
  const pairs: Pair[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    if (line?.kind === 'same') {
      pairs.push({ one: line.text, other: line.text, isSame: true })
      at++
      continue
    }
    const end = lines.findIndex(({ kind }, index) => index >= at && kind === 'same')
    const changed = lines.slice(at, end < 0 ? lines.length : end)
    const gone = changed.filter(({ kind }) => kind === 'gone')
    const come = changed.filter(({ kind }) => kind === 'new')
    for (let row = 0; row < Math.max(gone.length, come.length); row++)
      pairs.push({ one: gone[row]?.text, other: come[row]?.text, isSame: false })
    at += changed.length
  }
  return pairs
}

/** The same without what is far from any change. */
export function foldPairs(pairs: readonly Pair[]): (Pair | Fold)[] {
  const near = pairs.map((_, at) =>
    pairs.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ isSame }) => !isSame),
  )
  const rows: (Pair | Fold)[] = []
  let at = 0
  while (at < pairs.length) {
    const next = near.indexOf(true, at)
    const far = (next < 0 ? pairs.length : next) - at
    if (far >= LEAST_FOLDED) {
      rows.push({ folded: far })
      at += far
    } else rows.push(...pairs.slice(at, ++at))
  }
  return rows
}

/** Whether the place is between two letters of a word, where a script has spaces between words, or amid one sign. */
function isWithinWord(text: string, at: number): boolean {
  return /^(?:[a-z0-9_]{2}|[\ud800-\udbff][\udc00-\udfff])$/i.test(text.slice(Math.max(0, at - 1), at + 1))
}

/** A line in three: how it begins like the other, what is its own, in whole words, and how it ends like it. */
export function ownPart(text: string, other: string): readonly [string, string, string] {
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  while (isWithinWord(text, start) || isWithinWord(other, start)) start--
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  while (isWithinWord(text, text.length - end) || isWithinWord(other, other.length - end)) end--
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)]
}
