import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { mergePairs, wholeTokens } from './merge-pairs.ts'

// Imported by the counting thread alone: it takes half a second to load and counts some MB a second.
// The encoding is o200k_base for every model. Other vendors keep theirs to themselves, so for their models a
// count is an estimate. Marks such as <|endoftext|> are text like any other.

const words = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'gu')
/** Merging takes the square of a word's length; a longer "word" is no word, and is cut. */
const LONGEST_WORD = 128
/** More than this is sampled, so that no job keeps the others waiting for more than a second. */
const EXACT_CHARS = 1024 * 1024
const BLOCK = 4096

const encoder = new TextEncoder()
const bytes = new Uint8Array((LONGEST_WORD + 1) * 3)

export function countTokens(texts: readonly string[]): number {
  let chars = 0
  for (const text of texts) chars += text.length
  if (chars > EXACT_CHARS) return countSample(texts, chars)
  let tokens = 0
  for (const text of texts) tokens += countText(text)
  return tokens
}

/** Blocks spread evenly over all of it. */
function countSample(texts: readonly string[], chars: number): number {
  const stride = Math.ceil(chars / EXACT_CHARS)
  let [tokens, counted, block] = [0, 0, 0]
  for (const text of texts)
    for (let at = 0; at < text.length; at += BLOCK) {
      if (block++ % stride !== 0) continue
      const piece = text.slice(at, at + BLOCK)
      tokens += countText(piece)
      counted += piece.length
    }
  return Math.round((tokens * chars) / counted)
}

function countText(text: string): number {
  let [tokens, start] = [0, 0]
  words.lastIndex = 0
  while (words.test(text)) {
    const end = words.lastIndex
    while (start < end) {
      const cut = end - start > LONGEST_WORD ? cutAt(text, start + LONGEST_WORD) : end
      tokens += countWord(text.slice(start, cut))
      start = cut
    }
  }
  return tokens
}

function countWord(word: string): number {
  return wholeTokens.has(word) ? 1 : mergePairs(bytes, encoder.encodeInto(word, bytes).written)
}

/** There, or one further when a character of two units would be cut. */
function cutAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}
