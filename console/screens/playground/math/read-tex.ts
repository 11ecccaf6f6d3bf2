// What models write of TeX, as MathML, which browsers draw themselves. What is not known is shown as it is written:
// a formula is never lost, and nothing in it can be anything but signs.

import {
  accents,
  accentsBelow,
  delimiters,
  functions,
  integrals,
  large,
  letters,
  limited,
  operators,
  restyle,
  spaces,
  styles,
} from './symbols.ts'

export interface MathNode {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children: readonly (MathNode | string)[]
}

/** Deeper than anyone writes; a text of nothing but braces must not end the page. */
const DEEPEST = 60

const node = (tag: string, children: MathNode['children'], attributes?: MathNode['attributes']): MathNode =>
  attributes ? { tag, children, attributes } : { tag, children }
const row = (children: readonly MathNode[]): MathNode =>
  children.length === 1 && children[0] ? children[0] : node('mrow', children)
const sign = (text: string, attributes?: MathNode['attributes']) => node('mo', [text], attributes)
const words = (text: string) => node('mtext', [text.replace(/ /g, '\u00a0')])
const upright = (text: string) => node('mi', [text], { mathvariant: 'normal' })

export function readTex(source: string, display: boolean): MathNode {
  const reader = new Reader(tokenize(source))
  const children = reader.list()
  return node('math', [row(children)], display ? { display: 'block' } : undefined)
}

function tokenize(source: string): string[] {
  return source.replace(/(?<!\\)%.*/g, '').match(/\\[A-Za-z]+\*?|\\[\s\S]|\s+|\d+(?:\.\d+)?|[\s\S]/gu) ?? []
}

/** What belongs to something that is open, and to no command before it. */
const endings = new Set(['}', '&', '\\\\', '\\right', '\\end'])

class Reader {
  readonly #tokens: string[]
  #at = 0
  #depth = 0

  constructor(tokens: string[]) {
    this.#tokens = tokens
  }

  /** Up to one of these, which stays; or to the end. */
  list(...ends: string[]): MathNode[] {
    const found: MathNode[] = []
    for (let token = this.#peek(); token !== undefined && !ends.includes(token); token = this.#peek()) {
      const one = this.#scripted()
      if (one) found.push(one)
    }
    return found
  }

  #peek(): string | undefined {
    while (/^\s/.test(this.#tokens[this.#at] ?? '')) this.#at++
    return this.#tokens[this.#at]
  }

  #next(): string | undefined {
    const token = this.#peek()
    this.#at++
    return token
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false
    this.#at++
    return true
  }

  /** Something with what stands above and below it. */
  #scripted(): MathNode | undefined {
    const token = this.#peek() ?? ''
    const base = /^[_^]$/.test(token) ? node('mrow', []) : this.#one()
    if (!base) return undefined
    const name = token.slice(1)
    const isAbove = this.#take('\\limits') || large.has(name) || limited.has(name) || /brace$/.test(name)
    this.#take('\\nolimits')
    let below: MathNode | undefined
    let above: MathNode | undefined
    for (;;) {
      if (this.#take("'")) {
        let primes = '′'
        while (this.#take("'")) primes += '′'
        above = above ? row([sign(primes), above]) : sign(primes)
      } else if (this.#take('_')) below = this.#argument()
      else if (this.#take('^')) above = above ? row([above, this.#argument()]) : this.#argument()
      else break
    }
    if (below && above) return node(isAbove ? 'munderover' : 'msubsup', [base, below, above])
    if (below) return node(isAbove ? 'munder' : 'msub', [base, below])
    return above ? node(isAbove ? 'mover' : 'msup', [base, above]) : base
  }

  /** What a command is about: a group, or the next sign. */
  #argument(): MathNode {
    const token = this.#peek() ?? ''
    if (endings.has(token)) return node('mrow', [])
    // Of a number, only the first digit.
    if (/^\d./.test(token)) {
      this.#tokens[this.#at] = token.slice(1)
      return node('mn', [token.slice(0, 1)])
    }
    return this.#one() ?? node('mrow', [])
  }

  #one(): MathNode | undefined {
    const token = this.#next()
    if (token === undefined) return undefined
    if (token === '{') return this.#group('}')
    if (token === '}' || token === '&') return undefined
    if (token === '~') return words(' ')
    if (/^\d/.test(token)) return node('mn', [token])
    if (token.startsWith('\\')) return this.#command(token.slice(1))
    if (/^\p{L}$/u.test(token)) return node('mi', [token])
    if (token === '-') return sign('−')
    if (/^[()[\]|]$/.test(token)) return sign(token, { stretchy: 'false' })
    return sign(token)
  }

  #group(end: string): MathNode {
    if (this.#depth >= DEEPEST) return words('{')
    this.#depth++
    const inside = this.list(end)
    this.#take(end)
    this.#depth--
    return row(inside)
  }

  #command(name: string): MathNode | undefined {
    const letter = letters.get(name)
    if (letter !== undefined) return /^\p{Lu}$/u.test(letter) ? upright(letter) : node('mi', [letter])
    const found = operators.get(name) ?? large.get(name) ?? integrals.get(name)
    if (found !== undefined) return sign(found)
    if (delimiters.has(name)) return sign(delimiters.get(name) ?? '', { stretchy: 'false' })
    if (functions.has(name)) return row([upright(name), sign('\u2061')])
    const space = spaces.get(name)
    if (space !== undefined) return node('mspace', [], { width: `${space}em` })
    const style = styles.get(name)
    if (style !== undefined)
      return restyled(name.startsWith('text') ? words(this.#text()) : this.#argument(), style)
    return this.#accented(name) ?? this.#built(name)
  }

  #accented(name: string): MathNode | undefined {
    const above = accents.get(name)
    if (above !== undefined) return node('mover', [this.#argument(), sign(above)], { accent: 'true' })
    const below = accentsBelow.get(name)
    return below === undefined ? undefined : node('munder', [this.#argument(), sign(below)])
  }

  #built(name: string): MathNode | undefined {
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac':
      case 'cfrac':
        return node('mfrac', [this.#argument(), this.#argument()])
      case 'binom':
        return fenced('(', node('mfrac', [this.#argument(), this.#argument()], { linethickness: '0' }), ')')
      case 'sqrt': {
        const root = this.#take('[') ? this.#group(']') : undefined
        const inside = this.#argument()
        return root ? node('mroot', [inside, root]) : node('msqrt', [inside])
      }
      case 'text':
      case 'mbox':
        return words(this.#text())
      case 'operatorname':
      case 'operatorname*':
        return row([upright(this.#text()), sign('\u2061')])
      case 'tag':
        return words(`  (${this.#text()})`)
      case 'pmod':
        return row([words(' '), sign('('), upright('mod'), words(' '), this.#argument(), sign(')')])
      case 'left':
        return this.#left()
      case 'begin':
        return this.#environment(this.#text())
      case 'boxed':
      case 'mathop':
      case 'mathbin':
      case 'mathrel':
      case 'mathord':
      case 'ensuremath':
        return this.#argument()
      case 'xrightarrow':
        return node('mover', [sign('→', { stretchy: 'true' }), this.#argument()])
      case 'overset':
      case 'stackrel': {
        const above = this.#argument()
        return node('mover', [this.#argument(), above])
      }
      case 'underset': {
        const below = this.#argument()
        return node('munder', [this.#argument(), below])
      }
      case 'not':
        return sign(`${plain(this.#argument())}\u0338`)
      case 'color':
      case 'label':
        this.#text()
        return undefined
      case 'end':
        this.#text()
        return undefined
    }
    if (/^(?:big|Big|bigg|Bigg)[lrm]?$/.test(name)) return sign(this.#delimiter(), { minsize: '1.2em' })
    if (
      /^(?:display|text|script|scriptscript)style$|^(?:no)?limits$|^(?:nonumber|notag|right|middle|\\)$/.test(
        name,
      )
    )
      return undefined
    return words(`\\${name}`)
  }

  #left(): MathNode {
    const open = this.#delimiter()
    if (this.#depth >= DEEPEST) return words(open)
    this.#depth++
    const parts = this.list('\\right')
    this.#depth--
    const close = this.#take('\\right') ? this.#delimiter() : ''
    return fenced(open, row(parts), close)
  }

  /** A dot is none. */
  #delimiter(): string {
    const token = this.#next() ?? ''
    if (token === '.') return ''
    return token.startsWith('\\')
      ? (delimiters.get(token.slice(1)) ?? operators.get(token.slice(1)) ?? '')
      : token
  }

  /** The words of a group as they are written, with their spaces. */
  #text(): string {
    this.#peek()
    if (this.#tokens[this.#at] !== '{') return this.#next() ?? ''
    let depth = 0
    let text = ''
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] ?? ''
      if (token === '{' && depth++ === 0) continue
      if (token === '}' && --depth === 0) break
      text += /^\\[^A-Za-z]/.test(token) ? token.slice(1) : token
    }
    this.#at++
    return text
  }

  #environment(name: string): MathNode {
    if (/^(?:array|alignat\*?)$/.test(name)) this.#text()
    if (this.#depth >= DEEPEST) return words(name)
    this.#depth++
    const rows: MathNode[] = []
    let cells: MathNode[] = []
    for (;;) {
      cells.push(node('mtd', [row(this.list('&', '\\\\', '\\end'))]))
      if (this.#take('&')) continue
      rows.push(node('mtr', cells))
      cells = []
      if (!this.#take('\\\\')) break
      if (this.#take('[')) this.#group(']')
      if (this.#peek() === '\\end') break
    }
    this.#depth--
    if (this.#take('\\end')) this.#text()
    return framed(name, rows)
  }
}

function framed(name: string, rows: readonly MathNode[]): MathNode {
  const isAligned = /^(?:align|split|eqn)/.test(name)
  const table = node('mtable', rows, {
    ...(isAligned ? { displaystyle: 'true', class: 'aligned' } : {}),
    ...(/^(?:cases|array)/.test(name) ? { class: 'cases' } : {}),
  })
  const [open, close] = frames[name.replace('*', '')] ?? ['', '']
  return open || close ? fenced(open, table, close) : table
}

const frames: Readonly<Record<string, readonly [string, string]>> = {
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  Bmatrix: ['{', '}'],
  vmatrix: ['|', '|'],
  Vmatrix: ['‖', '‖'],
  cases: ['{', ''],
}

function fenced(open: string, inside: MathNode, close: string): MathNode {
  const fence = (text: string) => (text ? [sign(text, { fence: 'true', stretchy: 'true' })] : [])
  return node('mrow', [...fence(open), inside, ...fence(close)])
}

/** Every letter in it. */
function restyled(one: MathNode, style: string): MathNode {
  if (style === 'italic') return one
  const children = one.children.map(child =>
    typeof child === 'string' ? restyle(child, style) : restyled(child, style),
  )
  return one.tag === 'mi' ? node('mi', children, { mathvariant: 'normal' }) : { ...one, children }
}

function plain(one: MathNode): string {
  return one.children.map(child => (typeof child === 'string' ? child : plain(child))).join('')
}
