import type { Text } from '../language.ts'
import { hasCardCheck, hasIdCheck, isAddressOfSix, lengthOfIban } from './checks.ts'
import type { Finder, Found, Span } from './finder.ts'

/** What is known by its shape, and what stands in its place where it is masked. */
export const guardKinds = {
  email: { zh: '邮箱地址', en: 'Email address' },
  phone: { zh: '电话号码', en: 'Telephone number' },
  card: { zh: '银行卡号', en: 'Payment card' },
  id: { zh: '身份证号', en: 'Resident ID (China)' },
  ip: { zh: 'IP 地址', en: 'IP address' },
  key: { zh: '密钥与私钥', en: 'API or private key' },
  iban: { zh: 'IBAN 账号', en: 'IBAN' },
} as const satisfies Record<string, Text>

export type GuardKind = keyof typeof guardKinds

/**
 * A shape. Each of its expressions is bounded, and begins where nothing of its own stands before it: none of them
 * goes over the same letters again and again.
 */
interface Shape {
  readonly shape: RegExp
  /** Without one of these in it, a text need not be searched. */
  readonly hint: RegExp
  /** All letters that one can hold: as long as a text ends with such, it may go on. */
  readonly letters: RegExp
  /** Those it can begin with, where not with all of them. */
  readonly begins?: RegExp
  readonly longest: number
  /** How much of what has the shape is one; 0 for nothing. */
  readonly measure?: (found: string) => number
}

const whole = (isOne: (found: string) => boolean) => (found: string) => (isOne(found) ? found.length : 0)

const shapes: Readonly<Record<GuardKind, readonly Shape[]>> = {
  email: [
    {
      shape: /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/g,
      hint: /@/,
      letters: /[\w.%+@-]/,
      longest: 320,
    },
  ],
  phone: [
    {
      shape:
        /(?<![\w+])(?:(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}|\+[1-9](?:[ .()-]{0,2}\d){7,14}|0\d{2,3}-\d{7,8}|\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4})(?!\w)/g,
      hint: /\d{3}/,
      letters: /[\d+ .()-]/,
      begins: /[\d+(]/,
      longest: 48,
    },
  ],
  card: [
    {
      shape: /(?<![\w.])[2-6](?:[ -]?\d){12,18}(?![\w])/g,
      hint: /\d{3}/,
      letters: /[\d -]/,
      begins: /\d/,
      longest: 40,
      measure: whole(hasCardCheck),
    },
  ],
  id: [
    {
      shape: /(?<!\w)[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)/g,
      hint: /\d{17}/,
      letters: /[\dXx]/,
      longest: 20,
      measure: whole(hasIdCheck),
    },
  ],
  ip: [
    {
      shape: /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w]|\.\d)/g,
      hint: /\d\.\d/,
      letters: /[\d.]/,
      begins: /\d/,
      longest: 20,
    },
    {
      shape: /(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])/g,
      hint: /:/,
      letters: /[0-9A-Fa-f:]/,
      longest: 48,
      measure: whole(isAddressOfSix),
    },
  ],
  key: [
    {
      shape:
        /(?<![\w-])(?:sk-[\w-]{20,400}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255}|xox[abeprs]-[\w-]{10,255}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}|hf_[A-Za-z0-9]{30,100}|xai-[\w-]{20,400}|gsk_[A-Za-z0-9]{20,255}|eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000})(?![\w-])/g,
      hint: /sk|AKIA|ASIA|AIza|gh[pousr]_|github|glpat|xox|k_|hf_|xai|eyJ/,
      letters: /[\w.-]/,
      longest: 8192,
    },
  ],
  iban: [
    {
      shape: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/g,
      hint: /[A-Z]{2}\d{2}/,
      letters: /[A-Z0-9 ]/,
      begins: /[A-Z]/,
      longest: 48,
      measure: lengthOfIban,
    },
  ],
}

/** Finds what has one of these shapes. */
export function findersOf(kind: GuardKind): readonly Finder[] {
  const finders = shapes[kind].map(shape => findShape(shape))
  return kind === 'key' ? [...finders, findPem] : finders
}

function findShape({ shape, hint, letters, begins = letters, longest, measure }: Shape): Finder {
  return (text, from, isWhole) => {
    const open = isWhole ? text.length : beginOfEnd(text, from, { letters, begins, longest })
    if (!hint.test(text)) return { spans: none, open }
    const spans: Span[] = []
    shape.lastIndex = from
    for (let found = shape.exec(text); found; found = shape.exec(text)) {
      const length = measure ? measure(found[0]) : found[0].length
      if (length === 0) continue
      if (found.index >= open) break
      const end = found.index + length
      spans.push({ start: found.index, end })
      shape.lastIndex = end
    }
    return { spans, open }
  }
}

/** Where the letters begin with which the text ends, and which may yet become more. */
function beginOfEnd(
  text: string,
  from: number,
  { letters, begins, longest }: Required<Pick<Shape, 'letters' | 'begins' | 'longest'>>,
): number {
  const least = Math.max(from, text.length - longest)
  let begin = text.length
  while (begin > least && letters.test(text[begin - 1] ?? '')) begin--
  while (begin < text.length && !begins.test(text[begin] ?? '')) begin++
  return begin
}

const BEGIN = '-----BEGIN '
/** Its lines may be written with the two signs that stand for a line's end. */
const PEM =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[\s\S]){0,7800}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=\s\\]{0,7800})/g
const PEM_END = /(?:KEY|BLOCK)-----$/
const LONGEST_PEM = 8192

/** A private key as a block of lines; one whose end is missing goes on for as long as it can be one. */
function findPem(text: string, from: number, isWhole: boolean): Found {
  const first = text.indexOf(BEGIN, from)
  if (first < 0) return { spans: none, open: isWhole ? text.length : beginOfMark(text, from) }
  const spans: Span[] = []
  const isAwaited = (at: number): boolean => !isWhole && text.length - at < LONGEST_PEM
  let looked = from
  PEM.lastIndex = first
  for (let found = PEM.exec(text); found; found = PEM.exec(text)) {
    if (!PEM_END.test(found[0]) && isAwaited(found.index)) break
    looked = found.index + found[0].length
    spans.push({ start: found.index, end: looked })
  }
  const next = text.indexOf(BEGIN, looked)
  if (next >= 0 && isAwaited(next)) return { spans, open: next }
  return { spans, open: isWhole ? text.length : beginOfMark(text, looked) }
}

function beginOfMark(text: string, from: number): number {
  for (let length = Math.min(BEGIN.length - 1, text.length - from); length > 0; length--)
    if (text.endsWith(BEGIN.slice(0, length))) return text.length - length
  return text.length
}

const none: readonly Span[] = []
