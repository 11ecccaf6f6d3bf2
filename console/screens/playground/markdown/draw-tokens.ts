// What Markdown was read as, drawn straight into the page: no HTML is written and read again, and nodes that stay the
// same are not touched. Nothing that could run or load anything is drawn here.

import type { MarkedToken, Token, Tokens } from 'marked'
import type { MathToken } from '../math/math-tokens.ts'
import { type MathNode, readTex } from '../math/read-tex.ts'
import { Pen } from './pen.ts'

type Known = Exclude<MarkedToken, Tokens.HTML | Tokens.Tag | Tokens.Image | Tokens.Checkbox> | MathToken

const leaves = new Set(['space', 'def', 'hr', 'br', 'escape', 'code', 'codespan', 'math'])
const branches = new Set(['paragraph', 'heading', 'blockquote', 'strong', 'em', 'del'])

/** HTML's own names for signs would have to be looked up. */
const entity = /&#?\w+;/

/** Whether a token, with all that is in it, can be drawn here. */
export function isDrawable(token: Token): token is Known {
  const { type } = token
  if (leaves.has(type)) return true
  if (branches.has(type)) return 'tokens' in token && areDrawable(token.tokens)
  switch (type) {
    case 'text':
      return token.tokens ? areDrawable(token.tokens) : !entity.test(token.text)
    case 'link':
      return !token.title && /^https?:\/\//i.test(token.href) && areDrawable(token.tokens)
    case 'list':
      return (token as Tokens.List).items.every(item => areDrawable(item.tokens))
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return areDrawable(header.flatMap(cell => cell.tokens)) && rows.every(row => row.every(isDrawableCell))
    }
    default:
      return false
  }
}

function areDrawable(tokens: readonly Token[] = []): boolean {
  return tokens.every(isDrawable)
}

function isDrawableCell({ tokens }: Tokens.TableCell): boolean {
  return areDrawable(tokens)
}

/** `host` shows this token and nothing else. */
export function drawToken(host: Element, token: Known): void {
  const pen = new Pen(host)
  draw(pen, token)
  pen.end()
}

function drawAll(pen: Pen, tokens: readonly Token[]): void {
  for (const token of tokens) draw(pen, token as Known)
}

function draw(pen: Pen, token: Known): void {
  switch (token.type) {
    case 'text':
      if (token.tokens) drawAll(pen, token.tokens)
      else pen.write(token.text)
      break
    case 'escape':
      pen.write(token.text)
      break
    case 'br':
    case 'hr':
      pen.element(token.type)
      break
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      pen.element(token.type, inside => drawAll(inside, token.tokens))
      break
    case 'paragraph':
      pen.element('p', inside => drawAll(inside, token.tokens))
      break
    case 'heading':
      pen.element(`h${token.depth}`, inside => drawAll(inside, token.tokens))
      break
    case 'codespan':
      pen.element('code', inside => inside.write(token.text))
      break
    case 'code':
      pen.element('pre', pre => pre.element('code', inside => inside.write(`${token.text}\n`)))
      break
    case 'math':
      drawMath(pen, readTex(token.text, token.display))
      break
    case 'link':
      pen.element('a', inside => drawAll(inside, token.tokens), outwards(token.href))
      break
    case 'list':
      drawList(pen, token)
      break
    case 'table':
      drawTable(pen, token)
      break
  }
}

function drawMath(pen: Pen, { tag, attributes, children }: MathNode): void {
  const fill = (inside: Pen) => {
    for (const child of children)
      if (typeof child === 'string') inside.write(child)
      else drawMath(inside, child)
  }
  pen.element(tag, fill, attributes)
}

function outwards(href: string): Readonly<Record<string, string>> {
  return { href, target: '_blank', rel: 'noopener noreferrer' }
}

function drawList(pen: Pen, { ordered, start, items }: Tokens.List): void {
  const drawItems = (list: Pen) => {
    for (const item of items) list.element('li', inside => drawAll(inside, item.tokens))
  }
  const from = ordered && start !== 1 ? { start: String(start) } : undefined
  pen.element(ordered ? 'ol' : 'ul', drawItems, from)
}

function drawTable(pen: Pen, { header, rows }: Tokens.Table): void {
  pen.element('table', table => {
    table.element('thead', head => drawRow(head, 'th', header))
    if (rows.length === 0) return
    table.element('tbody', body => {
      for (const row of rows) drawRow(body, 'td', row)
    })
  })
}

function drawRow(pen: Pen, tag: 'th' | 'td', cells: readonly Tokens.TableCell[]): void {
  pen.element('tr', row => {
    for (const { tokens, align } of cells)
      row.element(tag, inside => drawAll(inside, tokens), align ? { align } : undefined)
  })
}
