// An answer grows by a few characters hundreds of times. It is cut into Markdown blocks, so that only the last
// of them is drawn again; and what has been cut is not read again.

import { Lexer, type Token } from 'marked'
import { lexerOptions } from '../math/math-tokens.ts'

export interface Block {
  /** Where it begins: stays the same while the answer grows. */
  readonly start: number
  readonly source: string
  /** What it was read as, without regard to link definitions. */
  readonly token: Token
  /** A code block, which is drawn by itself. */
  readonly code?: Code
}

export interface Code {
  readonly language: string
  readonly text: string
  /** Its end has not come yet. */
  readonly open: boolean
}

export interface Blocks {
  readonly text: string
  readonly blocks: readonly Block[]
  /** Link definitions stand in one place and are meant for all. */
  readonly definitions: readonly Definition[]
}

export interface Definition {
  readonly start: number
  readonly source: string
}

export const noBlocks: Blocks = { text: '', blocks: [], definitions: [] }

/** `before` is what the beginning of this text was cut into, if it was. */
export function splitBlocks(source: string, before: Blocks = noBlocks): Blocks {
  // The lexer would do the same, and places would no longer fit.
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  if (text === before.text) return before
  const kept = text.startsWith(before.text) ? settled(before.blocks) : []
  const from = kept.length > 0 ? (before.blocks[kept.length]?.start ?? 0) : 0
  const blocks: Block[] = [...kept]
  const definitions = before.definitions.filter(({ start }) => start < from)
  let start = from
  for (const token of readTokens(text.slice(from))) {
    if (token.type === 'def') definitions.push({ start, source: token.raw.trim() })
    else if (token.type !== 'space') blocks.push(blockOf(token, start))
    start += token.raw.length
  }
  return { text, blocks, definitions }
}

/**
 * More text can change the last block and no other; but what looks like a paragraph, "5", can turn out to be the next
 * item of the list before it.
 */
function settled(blocks: readonly Block[]): readonly Block[] {
  return blocks.slice(0, blocks.at(-2)?.token.type === 'list' ? -2 : -1)
}

function readTokens(text: string): Token[] {
  const lexer = new Lexer(lexerOptions)
  const tokens = lexer.blockTokens(text)
  lexer.tokens.links = {}
  for (const { src, tokens: inside } of lexer.inlineQueue) lexer.inlineTokens(src, inside)
  return tokens
}

function blockOf(token: Token, start: number): Block {
  if (token.type !== 'code' || token.codeBlockStyle === 'indented') return { start, source: token.raw, token }
  const language = typeof token.lang === 'string' ? (token.lang.split(/\s/)[0] ?? '') : ''
  const code = { language, text: String(token.text ?? ''), open: !isClosed(token.raw) }
  return { start, source: token.raw, token, code }
}

/** A fence that has not come to its end yet: the reader sees its code as code all the same. */
function isClosed(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1]
  const lastLine = raw.trimEnd().split('\n').slice(1).at(-1)?.trim() ?? ''
  return fence !== undefined && lastLine.startsWith(fence) && /^(`+|~+)$/.test(lastLine)
}
