import { type Patience, Pattern } from '../override/pattern.ts'
import { findersOf } from './kinds.ts'
import type { LocalLook } from './rule.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Found {
  readonly spans: readonly Span[]
  /** What begins from here on may still become one, or a longer one: nothing is said about it yet. */
  readonly open: number
}

/**
 * Looks for something in a text from a place on; what stands before that is only looked back at. `isWhole` is
 * false while more of the text is to come.
 */
export type Finder = (text: string, from: number, isWhole: boolean, patience: Patience) => Found

/** A finder, and what stands in the place of what it has found. */
export interface MaskingFinder {
  readonly find: Finder
  readonly mask: string
}

/** Throws `PatternFault`. */
export function makeFinders(look: LocalLook): readonly MaskingFinder[] {
  switch (look.by) {
    case 'kinds':
      return look.kinds.flatMap(kind => findersOf(kind).map(find => ({ find, mask: `[${kind}]` })))
    case 'words':
      return [{ find: findWords(look.words), mask: MASK }]
    case 'pattern': {
      const pattern = new Pattern(look.pattern)
      const find: Finder = (text, from, isWhole, patience) => pattern.findAll(text, from, isWhole, patience)
      return [{ find, mask: MASK }]
    }
  }
}

const MASK = '[masked]'

/** Any of these words, whatever their case and wherever they stand. */
function findWords(given: readonly string[]): Finder {
  const words = given.map(foldCase).toSorted((one, other) => other.length - one.length)
  const known = new Set(words)
  const firsts = new Set(words.map(word => word[0]))
  const lengths = [...new Set(words.map(word => word.length))]
  return (text, from, isWhole) => {
    const folded = foldCase(text)
    const open = isWhole ? text.length : beginOfWord(folded, from, words)
    const spans: Span[] = []
    for (let at = from; at < open; ) {
      const length = firsts.has(folded[at])
        ? lengths.find(one => at + one <= folded.length && known.has(folded.slice(at, at + one)))
        : undefined
      if (length !== undefined) spans.push({ start: at, end: at + length })
      at += length ?? 1
    }
    return { spans, open }
  }
}

/** Letter by letter, so that every letter keeps its place. */
function foldCase(text: string): string {
  const folded = text.toLowerCase()
  if (folded.length === text.length) return folded
  return Array.from({ length: text.length }, (_, at) => {
    const letter = text.charAt(at)
    const lower = letter.toLowerCase()
    return lower.length === 1 ? lower : letter
  }).join('')
}

/** Where the end of a text begins that may yet become a word, or one that is longer than what is there. */
function beginOfWord(text: string, from: number, words: readonly string[]): number {
  const longest = words[0]?.length ?? 0
  for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
    const end = text.slice(at)
    if (words.some(word => word.length > end.length && word.startsWith(end))) return at
  }
  return text.length
}
