import { OutOfPatience, type Patience } from '../override/pattern.ts'
import { type MaskingFinder, makeFinders } from './finder.ts'
import type { GuardAction, GuardRule, LocalLook } from './rule.ts'

/** A rule that is judged here, made ready once. */
export interface ReadyRule {
  readonly name: string
  readonly action: GuardAction
  readonly finders: readonly MaskingFinder[]
}

export function makeReady({ name, action }: GuardRule, looks: LocalLook): ReadyRule {
  return { name, action, finders: makeFinders(looks) }
}

/** Something that a rule has found. */
export interface Finding {
  readonly rule: ReadyRule
  readonly start: number
  readonly end: number
  readonly mask: string
}

interface Judged {
  readonly findings: readonly Finding[]
  /** How much of the text is judged for good; all of it where it is whole. */
  readonly until: number
}

/** A text that a rule cannot search within what anybody should have to wait. */
export class TooLongToSearch extends Error {
  readonly rule: ReadyRule
  constructor(rule: ReadyRule) {
    super(`${rule.name} cannot be searched for`)
    this.rule = rule
  }
}

/** Every rule on its own, on the text as it is: what one masks does not hide anything from the next. */
export function judgeText(
  rules: readonly ReadyRule[],
  text: string,
  from: number,
  isWhole: boolean,
  patience: Patience,
): Judged {
  const findings: Finding[] = []
  let until = text.length
  for (const rule of rules)
    for (const { find, mask } of rule.finders) {
      const { spans, open } = patiently(rule, () => find(text, from, isWhole, patience))
      for (const { start, end } of spans) findings.push({ rule, start, end, mask })
      until = Math.min(until, open)
    }
  // Nothing that was found may lie across: it would be masked by half.
  for (let last = -1; last !== until; ) {
    last = until
    for (const { start, end } of findings) if (start < until && end > until) until = start
  }
  return { findings: findings.filter(({ end }) => end <= until), until }
}

function patiently<Value>(rule: ReadyRule, search: () => Value): Value {
  try {
    return search()
  } catch (error) {
    throw error instanceof OutOfPatience ? new TooLongToSearch(rule) : error
  }
}

/** What is replaced, from left to right; of those that overlap, the first gives its mask to all. */
export function masksOf(findings: readonly Finding[]): Finding[] {
  const masks: Finding[] = []
  const sorted = findings.toSorted((one, other) => one.start - other.start || other.end - one.end)
  for (const finding of sorted) {
    const last = masks.at(-1)
    if (!last || finding.start >= last.end) masks.push(finding)
    else if (finding.end > last.end) masks[masks.length - 1] = { ...last, end: finding.end }
  }
  return masks
}

export function maskText(text: string, findings: readonly Finding[]): string {
  let out = ''
  let copied = 0
  for (const { start, end, mask } of masksOf(findings)) {
    out += text.slice(copied, start) + mask
    copied = end
  }
  return out + text.slice(copied)
}
