import { type Assertion, type Program, parsePattern } from './parse-pattern.ts'

/** How much may be looked at before somebody else has to have their turn. */
export interface Patience {
  steps: number
}

/** Thrown when a text takes longer than anybody should have to wait. */
export class OutOfPatience extends Error {}

type Slots = readonly (number | undefined)[]

interface Matches {
  readonly spans: readonly { readonly start: number; readonly end: number }[]
  readonly open: number
}

interface Way {
  readonly at: number
  readonly slots: Slots
}

/** A regular expression whose work grows with the text and no faster: see `parse-pattern.ts`. */
export class Pattern {
  readonly #program: Program

  /** Throws `PatternFault`. */
  constructor(source: string) {
    this.#program = parsePattern(source)
  }

  test(text: string, patience: Patience): boolean {
    return new Search(this.#program, text, patience).find(0) !== undefined
  }

  /**
   * Where it is found from a place on. `isWhole` is false while more of the text is to come: what may still become a
   * match, or a longer one, begins at `open`. A match of nothing is none.
   */
  findAll(text: string, from: number, isWhole: boolean, patience: Patience): Matches {
    const search = new Search(this.#program, text, patience, isWhole)
    const spans: { start: number; end: number }[] = []
    for (let place = from; place <= text.length; ) {
      const [start, end] = search.find(place) ?? []
      if (search.open < text.length || start === undefined || end === undefined) break
      if (end > start) spans.push({ start, end })
      place = end > start ? end : end + widthAt(text, end)
    }
    return { spans, open: search.open }
  }

  /** Every match replaced; `$1` or `${1}` is what a group has matched, `$$` a dollar. */
  replace(text: string, replacement: string, patience: Patience): string {
    const search = new Search(this.#program, text, patience)
    let out = ''
    let copied = 0
    for (let from = 0; from <= text.length; ) {
      const slots = search.find(from)
      const [start, end] = slots ?? []
      if (!slots || start === undefined || end === undefined) break
      const filled = fillIn(replacement, text, slots)
      search.spend(filled.length >> 4)
      out += text.slice(copied, start) + filled
      copied = end
      from = end > start ? end : end + widthAt(text, end)
    }
    return out + text.slice(copied)
  }
}

/** One pattern held against one text: all ways at once, letter by letter. */
class Search {
  readonly #program: Program
  readonly #text: string
  readonly #patience: Patience
  readonly #seen: Int32Array
  readonly #none: Slots
  readonly #isWhole: boolean
  /** Where the first of those ways begins that the end of an unfinished text has left open. */
  open: number
  #ways: Way[] = []
  #next: Way[] = []

  constructor(program: Program, text: string, patience: Patience, isWhole = true) {
    this.#program = program
    this.#text = text
    this.#patience = patience
    this.#seen = new Int32Array(program.steps.length)
    this.#none = Array.from({ length: program.slots })
    this.#isWhole = isWhole
    this.open = text.length
  }

  spend(steps: number): void {
    this.#patience.steps -= steps
    if (this.#patience.steps < 0) throw new OutOfPatience()
  }

  /** The leftmost match, and of several there the one that the pattern names first. */
  find(from: number): Slots | undefined {
    const { begins } = this.#program
    const text = this.#text
    let found: Slots | undefined
    this.#ways = []
    this.#seen.fill(-1)
    for (let place = from; ; ) {
      if (this.#ways.length === 0) {
        if (found) return found
        if (begins) place = this.#skip(place, begins)
      }
      const code = text.codePointAt(place)
      const width = code !== undefined && code > 0xffff ? 2 : 1
      if (!found) this.#follow(0, this.#none, place, this.#ways)
      if (code === undefined && !this.#isWhole)
        for (const { slots } of this.#ways) this.open = Math.min(this.open, slots[0] ?? place)
      found = this.#step(code, place + width) ?? found
      if (code === undefined) return found
      place += width
    }
  }

  /** To the next letter that a match can begin with. */
  #skip(from: number, begins: (code: number) => boolean): number {
    const text = this.#text
    let place = from
    for (let code = text.codePointAt(place); code !== undefined && !begins(code); ) {
      place += code > 0xffff ? 2 : 1
      code = text.codePointAt(place)
    }
    this.spend((place - from) >> 4)
    return place
  }

  #step(code: number | undefined, then: number): Slots | undefined {
    const { steps } = this.#program
    const ways = this.#ways
    const next = this.#next
    next.length = 0
    this.#next = ways
    this.#ways = next
    this.spend(ways.length)
    for (const { at, slots } of ways) {
      const step = steps[at]
      // Those behind it are worse.
      if (step?.op === 'match') return slots
      if (step?.op === 'letter' && code !== undefined && step.fits(code))
        this.#follow(at + 1, slots, then, next)
    }
    return undefined
  }

  /** All places that are reached without a letter, the better ones first, and each once. */
  #follow(at: number, slots: Slots, place: number, into: Way[]): void {
    if (this.#seen[at] === place) return
    this.#seen[at] = place
    this.spend(1)
    const step = this.#program.steps[at]
    switch (step?.op) {
      case 'jump':
        return this.#follow(step.to, slots, place, into)
      case 'split':
        this.#follow(step.first, slots, place, into)
        return this.#follow(step.second, slots, place, into)
      case 'save':
        return this.#follow(at + 1, slots.with(step.slot, place), place, into)
      case 'assert':
        if (!this.#isWhole && place === this.#text.length) {
          this.open = Math.min(this.open, slots[0] ?? place)
          return
        }
        if (holds(step.what, this.#text, place)) this.#follow(at + 1, slots, place, into)
        return
      default:
        into.push({ at, slots })
    }
  }
}

function widthAt(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1
}

function holds(what: Assertion, text: string, place: number): boolean {
  switch (what) {
    case 'text-start':
      return place === 0
    case 'text-end':
      return place === text.length
    case 'line-start':
      return place === 0 || text[place - 1] === '\n'
    case 'line-end':
      return place === text.length || text[place] === '\n'
    case 'edge':
      return isWord(text[place - 1]) !== isWord(text[place])
    case 'no-edge':
      return isWord(text[place - 1]) === isWord(text[place])
  }
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /^\w$/.test(letter)
}

function fillIn(replacement: string, text: string, slots: Slots): string {
  if (!replacement.includes('$')) return replacement
  return replacement.replace(/\$(?:\$|(\d{1,2})|\{(\d{1,2})\})/g, (_whole, bare, braced) => {
    const group = Number(bare ?? braced)
    if (Number.isNaN(group)) return '$'
    const [start, end] = [slots[2 * group], slots[2 * group + 1]]
    return start === undefined || end === undefined ? '' : text.slice(start, end)
  })
}
