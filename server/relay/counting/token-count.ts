import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { PairMerger } from './merge-pairs.ts'
import { isToken, type TokenTables } from './token-tables.ts'

// The encoding is o200k_base for every model. Other vendors keep theirs to themselves, so for their models a
// count is an estimate. Marks such as <|endoftext|> are text like any other.

/** Merging takes the square of a word's length; a longer "word" is no word, and is cut. */
const LONGEST_WORD = 128
/** More than this is sampled, so that no job keeps the others waiting for more than a second. */
const EXACT_CHARS = 1024 * 1024
const BLOCK = 4096

/** For the counting thread alone: it counts some MB a second. */
export class TokenCount {
  readonly #tables: TokenTables
  readonly #merger: PairMerger
  readonly #words = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'gu')
  readonly #encoder = new TextEncoder()
  readonly #bytes = new Uint8Array((LONGEST_WORD + 1) * 3)

  constructor(tables: TokenTables) {
    this.#tables = tables
    this.#merger = new PairMerger(tables)
  }

  /** The sum; no token reaches from one text into the next. */
  count(texts: readonly string[]): number {
    let chars = 0
    for (const text of texts) chars += text.length
    if (chars > EXACT_CHARS) return this.#countSample(texts, chars)
    let tokens = 0
    for (const text of texts) tokens += this.#countText(text)
    return tokens
  }

  /** Blocks spread evenly over all of it. */
  #countSample(texts: readonly string[], chars: number): number {
    const stride = Math.ceil(chars / EXACT_CHARS)
    let [tokens, counted, block] = [0, 0, 0]
    for (const text of texts)
      for (let at = 0; at < text.length; at += BLOCK) {
        if (block++ % stride !== 0) continue
        const piece = text.slice(at, at + BLOCK)
        tokens += this.#countText(piece)
        counted += piece.length
      }
    return Math.round((tokens * chars) / counted)
  }

  #countText(text: string): number {
    const words = this.#words
    let [tokens, start] = [0, 0]
    words.lastIndex = 0
    while (words.test(text)) {
      const end = words.lastIndex
      while (start < end) {
        const cut = end - start > LONGEST_WORD ? cutAt(text, start + LONGEST_WORD) : end
        tokens += isToken(this.#tables, text, start, cut) ? 1 : this.#merge(text.slice(start, cut))
        start = cut
      }
    }
    return tokens
  }

  #merge(word: string): number {
    return this.#merger.merge(this.#bytes, this.#encoder.encodeInto(word, this.#bytes).written)
  }
}

/** There, or one further when a character of two units would be cut. */
function cutAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}
