import { Marked, type MarkedOptions, type TokenizerAndRendererExtension } from 'marked'
import { type MathNode, readTex } from './read-tex.ts'

export interface MathToken {
  readonly type: 'math'
  readonly raw: string
  readonly text: string
  readonly display: boolean
}

const block = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/
const blockAhead = /(?<=\n) {0,3}(?:\$\$[\s\S]+?\$\$|\\\[[\s\S]+?\\\])[ \t]*(?:\n|$)/
/**
 * A dollar is money more often than not: between two of them is a formula only where no space touches them from
 * inside, nothing follows that could belong to a word or a sum, and there is more to it than a number.
 */
const inline =
  /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(?![\s\d.,]+\$)(?!\s)((?:\\.|[^\\$\n])+?)(?<!\s)\$(?!\w))/
const inlineAhead = /\$|\\[([]/

const extensions: TokenizerAndRendererExtension[] = [
  {
    name: 'mathBlock',
    level: 'block',
    start: source => ahead(blockAhead, source),
    tokenizer: source => tokenOf(block.exec(source)),
  },
  {
    name: 'math',
    level: 'inline',
    start: source => ahead(inlineAhead, source),
    tokenizer: source => tokenOf(inline.exec(source)),
    renderer: token => write(readTex(String(token.text), token.display === true)),
  },
]

function ahead(pattern: RegExp, source: string): number | undefined {
  return pattern.exec(source)?.index
}

function tokenOf(found: RegExpExecArray | null): MathToken | undefined {
  if (!found) return undefined
  const [raw, dollars, brackets, ...inLine] = found
  const display = dollars ?? brackets
  const text = display ?? inLine.find(part => part !== undefined) ?? ''
  return text.trim() === '' ? undefined : { type: 'math', raw, text, display: display !== undefined }
}

/** Markdown as models write it: with formulas. */
export function newMarked(): Marked {
  return new Marked({ gfm: true, breaks: true, async: false, extensions })
}

/** For a lexer by itself. */
export const lexerOptions: MarkedOptions = newMarked().defaults

/** As text for a parser of HTML. Nothing but signs and letters is in it. */
function write({ tag, attributes = {}, children }: MathNode): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
  const inside = children.map(child => (typeof child === 'string' ? escapeSigns(child) : write(child)))
  return `<${tag}${named.join('')}>${inside.join('')}</${tag}>`
}

function escapeSigns(text: string): string {
  return text.replace(/[&<>"]/g, one => `&#${one.charCodeAt(0)};`)
}
