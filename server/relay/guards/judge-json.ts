import { type Finding, judgeText, type ReadyRule } from '../../../contract/guards/judge.ts'
import type { Patience } from '../../../contract/override/pattern.ts'

/** Where in a JSON text one stands that comes in pieces: all that has to be known of what came before. */
export interface JsonPlace {
  /** The objects and arrays that are open, as the signs that open them. */
  readonly nesting: string
  /** How many more are open than are remembered. */
  readonly deeper: number
  /** Whether a text that begins here is a name and not a value. */
  readonly isNameNext: boolean
  readonly inside: Kind | undefined
  /** The last letter of what one stands inside of, to be looked back at. */
  readonly before: string
}

/** `bare` is what stands without quotes: a number, or what should not be there. */
type Kind = 'name' | 'text' | 'bare'

interface Token {
  readonly kind: Kind
  readonly before: string
  /** What it says; of names nothing. */
  text: string
  /** Where each letter of that is written, and where the last ends. */
  readonly starts: number[]
  isOver: boolean
}

interface Lexed {
  readonly tokens: readonly Token[]
  /** Undefined where a letter is cut in two. */
  readonly place: JsonPlace | undefined
  /** The end, or where the letter begins that is cut. */
  readonly end: number
}

const MOST_NESTING = 1000

export const jsonBegin: JsonPlace = {
  nesting: '',
  deeper: 0,
  isNameNext: false,
  inside: undefined,
  before: '',
}

/** Such a text is no data, but is read as it is. */
export function isNoJson(text: string): boolean {
  return /^\s*[^\s{[]/.test(text)
}

/** Where one stands behind this text; undefined where it cuts a letter, or a number unless that `maySplit`. */
export function placeAfter(from: JsonPlace, raw: string, maySplit: boolean): JsonPlace | undefined {
  const { place } = lex(from, raw)
  return place?.inside === 'bare' && !maySplit ? undefined : place
}

/**
 * The values of JSON that comes in pieces, each judged as what it says and found where it is written. A number is
 * masked whole, as a text: what is masked stays JSON.
 */
export function judgeJson(
  rules: readonly ReadyRule[],
  raw: string,
  from: JsonPlace,
  isWhole: boolean,
  patience: Patience,
): { findings: Finding[]; until: number } {
  const { tokens, end } = lex(from, raw)
  const findings: Finding[] = []
  let until = end
  for (const { kind, before, text, starts, isOver } of tokens) {
    const isJudged = isOver || isWhole
    const [start = 0] = starts
    if (kind === 'name' || (kind === 'bare' && isWord(text))) continue
    if (kind === 'bare' && !isJudged) {
      until = Math.min(until, start)
      continue
    }
    const judged = judgeText(rules, before + text, before.length, isJudged, patience)
    const writtenAt = (at: number): number => starts[at - before.length] ?? raw.length
    for (const found of judged.findings)
      findings.push(
        kind === 'bare'
          ? { ...found, start, end: starts.at(-1) ?? start, mask: JSON.stringify(found.mask) }
          : { ...found, start: writtenAt(found.start), end: writtenAt(found.end) },
      )
    if (!isJudged) until = Math.min(until, writtenAt(judged.until))
  }
  return { findings, until }
}

function isWord(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null'
}

function lex(from: JsonPlace, raw: string): Lexed {
  const { nesting } = from
  const state = { nesting, deeper: from.deeper, isNameNext: from.isNameNext }
  const tokens: Token[] = []
  let token = from.inside && begin(tokens, from.inside, from.before)
  for (let at = 0; at < raw.length; ) {
    const sign = raw.charAt(at)
    if (!token) {
      if (sign === '"') token = begin(tokens, state.isNameNext ? 'name' : 'text')
      else if (isBare(sign)) token = begin(tokens, 'bare')
      else step(state, sign)
      if (token?.kind !== 'bare') at++
    } else if (token.kind === 'bare' ? !isBare(sign) : sign === '"') {
      const isQuote = token.kind !== 'bare'
      close(token, at)
      token = undefined
      if (isQuote) at++
    } else {
      const length = token.kind !== 'bare' && sign === '\\' ? lengthOfEscape(raw, at) : 1
      if (length === 0) {
        token.starts.push(at)
        return { tokens, place: undefined, end: at }
      }
      if (token.kind !== 'name') {
        token.starts.push(at)
        token.text += length === 1 ? sign : readEscape(raw.slice(at, at + length))
      }
      at += length
    }
  }
  token?.starts.push(raw.length)
  const before = token && (token.text.slice(-1) || token.before)
  return { tokens, place: { ...state, inside: token?.kind, before: before ?? '' }, end: raw.length }
}

function begin(tokens: Token[], kind: Kind, before = ''): Token {
  const token: Token = { kind, before, text: '', starts: [], isOver: false }
  tokens.push(token)
  return token
}

function close(token: Token, at: number): void {
  token.starts.push(at)
  token.isOver = true
}

function isBare(sign: string): boolean {
  return !/[\s{}[\],:"]/.test(sign)
}

function step(state: { nesting: string; deeper: number; isNameNext: boolean }, sign: string): void {
  if (sign === '{' || sign === '[') {
    if (state.nesting.length < MOST_NESTING) state.nesting += sign
    else state.deeper++
    state.isNameNext = sign === '{'
  } else if (sign === '}' || sign === ']') {
    if (state.deeper > 0) state.deeper--
    else state.nesting = state.nesting.slice(0, -1)
    state.isNameNext = false
  } else if (sign === ',') state.isNameNext = state.deeper === 0 && state.nesting.endsWith('{')
  else if (sign === ':') state.isNameNext = false
}

/** 0 for one whose end is missing. */
function lengthOfEscape(raw: string, at: number): number {
  const length = raw[at + 1] === 'u' ? 6 : 2
  return at + length <= raw.length ? length : 0
}

function readEscape(written: string): string {
  try {
    return JSON.parse(`"${written}"`)
  } catch {
    return written.charAt(1)
  }
}
