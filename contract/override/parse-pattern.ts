// Regular expressions that an operator writes and strangers' texts are held against. The engine's own would go back
// and try again, and some texts make it do so for hours; here all ways are followed at once, in one pass. Only what
// matches a single letter is left to the engine. The syntax is what older tools of this kind take (RE2's).

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'edge' | 'no-edge'

export type Instruction =
  | { readonly op: 'letter'; readonly fits: (code: number) => boolean }
  /** The first way is the better one. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'match' }

export interface Program {
  readonly steps: readonly Instruction[]
  /** Where groups begin and end; the whole match is the first. */
  readonly slots: number
  /** Whether a match may begin with a letter; absent where it may begin without one. */
  readonly begins: ((code: number) => boolean) | undefined
}

type Node =
  | { readonly kind: 'letter'; readonly fits: (code: number) => boolean }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'either'; readonly nodes: readonly Node[] }
  | { readonly kind: 'group'; readonly node: Node; readonly number: number }
  | {
      readonly kind: 'repeat'
      readonly node: Node
      readonly least: number
      readonly most: number
      lazy: boolean
    }

const LONGEST = 500
const MOST_STEPS = 1000
const MOST_REPEATS = 200
const MOST_GROUPS = 20
const DEEPEST = 30

/** Why a text is no pattern, in the words of whoever writes patterns. */
export class PatternFault extends Error {}

export function parsePattern(source: string): Program {
  if (source === '' || source.length > LONGEST) throw new PatternFault(`1–${LONGEST} characters`)
  const parser = new Parser(source)
  const node = parser.parse()
  const slots = 2 * (parser.groups + 1)
  const steps: Instruction[] = []
  emit({ kind: 'group', node, number: 0 }, steps)
  steps.push({ op: 'match' })
  return { steps, slots, begins: findBegin(steps) }
}

function findBegin(steps: readonly Instruction[]): Program['begins'] {
  const letters: ((code: number) => boolean)[] = []
  const seen = new Set<number>()
  const waiting = [0]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const step = steps[at]
    if (seen.has(at) || !step) continue
    seen.add(at)
    if (step.op === 'match') return undefined
    if (step.op === 'letter') letters.push(step.fits)
    else if (step.op === 'split') waiting.push(step.first, step.second)
    else waiting.push(step.op === 'jump' ? step.to : at + 1)
  }
  const known = Array.from({ length: 128 }, (_, code) => letters.some(fits => fits(code)))
  return code => known[code] ?? letters.some(fits => fits(code))
}

class Parser {
  groups = 0
  readonly #source: string
  #at = 0
  #depth = 0
  #ignoresCase = false
  #dotIsAll = false
  #byLine = false

  constructor(source: string) {
    this.#source = source
  }

  parse(): Node {
    const flags = /^\(\?([ims]+)\)/.exec(this.#source)
    if (flags) {
      this.#at = flags[0].length
      this.#ignoresCase = flags[1]?.includes('i') === true
      this.#dotIsAll = flags[1]?.includes('s') === true
      this.#byLine = flags[1]?.includes('m') === true
    }
    const node = this.#either()
    if (this.#at < this.#source.length) throw new PatternFault(')')
    return node
  }

  #either(): Node {
    if (++this.#depth > DEEPEST) throw new PatternFault('((((')
    const nodes = [this.#all()]
    while (this.#take('|')) nodes.push(this.#all())
    this.#depth--
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'either', nodes }
  }

  #all(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? ''))
      nodes.push(this.#repeated(this.#one()))
    return { kind: 'all', nodes }
  }

  #repeated(node: Node): Node {
    const count = this.#match(/[*+?]|\{(\d{1,4})(,(\d{0,4}))?\}/y)
    if (!count) return node
    const [sign, from, comma, to] = count
    const least = from === undefined ? (sign === '+' ? 1 : 0) : Number(from)
    const most = from === undefined ? (sign === '?' ? 1 : Infinity) : comma ? Number(to || Infinity) : least
    if (least > most || least > MOST_REPEATS || (most > MOST_REPEATS && most !== Infinity))
      throw new PatternFault(sign)
    const lazy = this.#take('?')
    // Go and others refuse two in a row.
    const twice = this.#match(/[*+?]|\{\d/y)
    if (twice) throw new PatternFault(`${sign}${twice[0]}`)
    return { kind: 'repeat', node, least, most, lazy }
  }

  #one(): Node {
    if (this.#take('(')) return this.#group()
    if (this.#take('^')) return { kind: 'assert', what: this.#byLine ? 'line-start' : 'text-start' }
    if (this.#take('$')) return { kind: 'assert', what: this.#byLine ? 'line-end' : 'text-end' }
    const edge = this.#match(/\\[bBAz]/y)
    if (edge) return { kind: 'assert', what: edges[edge[0]] ?? 'edge' }
    const letter =
      this.#match(/\.|\\[dDwWsStnrfv]|\\x[0-9a-fA-F]{2}|\\[pP]\{\w{1,40}(=\w{1,40})?\}/y) ??
      this.#match(/\\[^\w\s]/uy) ??
      this.#match(/\[\^?[^\]\\](?:[^\]\\]|\\.)*\]|\[\^?(?:\\.)(?:[^\]\\]|\\.)*\]/uy) ??
      this.#match(/[^\\[\]*+?{}().^$|]|[\]{}]/uy)
    if (!letter) throw new PatternFault(this.#source.slice(this.#at, this.#at + 8))
    return { kind: 'letter', fits: this.#fitting(letter[0]) }
  }

  #group(): Node {
    const name = this.#match(/\?P?<[A-Za-z]\w*>/y)
    const isCounted = name !== null || !this.#match(/\?:/y)
    if (this.#source[this.#at] === '?') throw new PatternFault(this.#source.slice(this.#at - 1, this.#at + 3))
    const number = isCounted ? ++this.groups : 0
    if (number > MOST_GROUPS) throw new PatternFault(`${MOST_GROUPS} ()`)
    const node = this.#either()
    if (!this.#take(')')) throw new PatternFault('(')
    return isCounted ? { kind: 'group', node, number } : node
  }

  /** What the engine says of one letter. Those of ASCII are asked for once. */
  #fitting(source: string): (code: number) => boolean {
    if (source.includes('[:')) throw new PatternFault('[:')
    const letter = makeLetter(source, `u${this.#dotIsAll ? 's' : ''}${this.#ignoresCase ? 'i' : ''}`)
    const known = Array.from({ length: 128 }, (_, code) => letter.test(String.fromCharCode(code)))
    return code => known[code] ?? letter.test(String.fromCodePoint(code))
  }

  #take(sign: string): boolean {
    if (this.#source[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #match(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at
    const found = form.exec(this.#source)
    if (found) this.#at += found[0].length
    return found
  }
}

const edges: Readonly<Record<string, Assertion>> = {
  '\\b': 'edge',
  '\\B': 'no-edge',
  '\\A': 'text-start',
  '\\z': 'text-end',
}

function makeLetter(source: string, flags: string): RegExp {
  const isSet = source.length > 1 && source.startsWith('[')
  const strict = source
    // The engine knows no escape that is not needed.
    .replace(/\\([^\w\s])/gu, (whole, sign: string) => ('^$\\.*+?()[]{}|/-'.includes(sign) ? whole : sign))
    .replace(/^(?:\\-|[\]{}])$/, sign => (sign === '\\-' ? '-' : `\\${sign}`))
  try {
    return new RegExp(isSet ? strict : `^${strict}$`, flags)
  } catch {
    throw new PatternFault(source.slice(0, 40))
  }
}

function emit(node: Node, steps: Instruction[]): void {
  if (steps.length > MOST_STEPS) throw new PatternFault(`${MOST_STEPS} +`)
  switch (node.kind) {
    case 'letter':
      steps.push({ op: 'letter', fits: node.fits })
      return
    case 'assert':
      steps.push({ op: 'assert', what: node.what })
      return
    case 'all':
      for (const one of node.nodes) emit(one, steps)
      return
    case 'group':
      steps.push({ op: 'save', slot: 2 * node.number })
      emit(node.node, steps)
      steps.push({ op: 'save', slot: 2 * node.number + 1 })
      return
    case 'either':
      return emitEither(node.nodes, steps)
    case 'repeat':
      return emitRepeat(node, steps)
  }
}

function emitEither(nodes: readonly Node[], steps: Instruction[]): void {
  const ends: { to: number }[] = []
  for (const [at, node] of nodes.entries()) {
    if (at === nodes.length - 1) {
      emit(node, steps)
      break
    }
    const split = { op: 'split' as const, first: steps.length + 1, second: 0 }
    steps.push(split)
    emit(node, steps)
    const end = { op: 'jump' as const, to: 0 }
    steps.push(end)
    ends.push(end)
    split.second = steps.length
  }
  for (const end of ends) end.to = steps.length
}

function emitRepeat(
  { node, least, most, lazy }: Extract<Node, { kind: 'repeat' }>,
  steps: Instruction[],
): void {
  for (let count = 0; count < least; count++) {
    const before = steps.length
    emit(node, steps)
    // Nothing is nothing however often: of many such inside each other there would be no end.
    if (steps.length === before) break
  }
  const leave: ((to: number) => void)[] = []
  const maySkip = (): void => {
    const split = { op: 'split' as const, first: steps.length + 1, second: steps.length + 1 }
    steps.push(split)
    leave.push(to => {
      if (lazy) split.first = to
      else split.second = to
    })
  }
  if (most === Infinity) {
    const again = steps.length
    maySkip()
    emit(node, steps)
    steps.push({ op: 'jump', to: again })
  } else
    for (let count = least; count < most; count++) {
      maySkip()
      emit(node, steps)
    }
  for (const end of leave) end(steps.length)
}
