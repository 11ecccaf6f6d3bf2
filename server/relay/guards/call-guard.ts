import {
  type Finding,
  judgeText,
  maskText,
  type ReadyRule,
  TooLongToSearch,
} from '../../../contract/guards/judge.ts'
import { AppError } from '../../errors.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { findAcross } from './across-places.ts'
import { type Asking, askRule } from './ask-rule.ts'
import { type AskedRule, type CallRules, refusesUnasked, type Sides } from './guards.ts'
import { Tally } from './tally.ts'

/** What patterns may cost in one call, and on each of its sides. */
const PATIENCE = 10_000_000

type Side = keyof Sides

/** The rules at work in one call. */
export class CallGuard {
  readonly rules: CallRules
  readonly tally: Tally
  /** Undefined where nobody is asked. */
  readonly #asking: Asking | undefined

  private constructor(rules: CallRules, asking?: Asking, tally = new Tally()) {
    this.rules = rules
    this.#asking = asking
    this.tally = tally
  }

  /** Undefined where no rule is for such calls, which is told by a look. */
  static for(asking: Asking, tally?: Tally): CallGuard | undefined {
    const rules = asking.parts.guards.for(asking.admitted, asking.model)
    return rules && new CallGuard(rules, asking, tally)
  }

  /** The same for a call of a tool, which is the model that is asked. */
  static forTool(asking: Asking): CallGuard | undefined {
    const rules = asking.parts.guards.forTool(asking.admitted, asking.model)
    return rules && new CallGuard(rules, asking)
  }

  /** For what nobody else is asked about. */
  static alone(rules: CallRules): CallGuard {
    return new CallGuard(rules)
  }

  /** What is found in streams; undefined where nothing is looked for there. */
  get streamRules(): readonly ReadyRule[] | undefined {
    const local = this.rules.output?.local
    return local && local.length > 0 ? local : undefined
  }

  /** Others cannot be asked about an answer that is handed on while it comes. */
  refuseStreams(): void {
    for (const rule of this.rules.output?.asked ?? [])
      if (refusesUnasked(rule)) throw new AppError('guard.streamed', { rule: rule.name })
  }

  /** Nor about a session, in which nobody waits for them. */
  refuseTalks(): void {
    const { input, output } = this.rules
    for (const rule of [...(input?.asked ?? []), ...(output?.asked ?? [])])
      if (refusesUnasked(rule)) throw new AppError('guard.talks', { rule: rule.name })
  }

  /** Whether others are asked about the request, besides what is found here. */
  get asksFirst(): boolean {
    return (this.rules.input?.asked.length ?? 0) > 0
  }

  /** What is found here in a request: whether something in it was masked. */
  readRequest(places: readonly TextPlace[]): boolean {
    const read = readable(places)
    return put(read, this.#judge('input', this.rules.input?.local ?? [], read))
  }

  /** What others say of what is left of it: whether they have masked something. */
  async askRequest(places: readonly TextPlace[]): Promise<boolean> {
    const read = readable(places)
    const texts = read.map(({ text }) => text)
    return put(read, await this.#ask('input', this.rules.input?.asked ?? [], read, texts))
  }

  /** What is found here in an answer that nobody else is asked about. */
  readAnswerAlone(places: readonly TextPlace[]): boolean {
    const read = readable(places)
    return put(read, this.#judge('output', this.rules.output?.local ?? [], read))
  }

  /** A whole answer, before it is paid: whether something in it was masked. */
  async readAnswer(places: readonly TextPlace[]): Promise<boolean> {
    const { local = [], asked = [] } = this.rules.output ?? {}
    const read = readable(places)
    return put(read, await this.#ask('output', asked, read, this.#judge('output', local, read)))
  }

  async #ask(
    side: Side,
    rules: readonly AskedRule[],
    places: readonly TextPlace[],
    given: readonly string[],
  ): Promise<readonly string[]> {
    let texts = given
    const asking = this.#asking
    if (!asking || texts.length === 0) return texts
    for (const rule of rules) {
      const verdict = await askRule(asking, rule, this.rules.sides[side], texts)
      if (verdict.action === 'allow') continue
      if (verdict.action === 'mask') {
        const before = texts
        texts = verdict.texts.map((text, at) => (places[at]?.isSigned ? (before[at] ?? text) : text))
        const changes = texts.filter((text, at) => text !== before[at]).length
        if (changes > 0) this.tally.add(rule.name, 'mask', changes)
        continue
      }
      this.tally.add(rule.name, verdict.action)
      if (verdict.action === 'block') throw blocked(side, rule.name, verdict.reason)
    }
    return texts
  }

  /** The texts with what is to be masked in them masked, or the refusal of the first rule that blocks. */
  #judge(side: Side, rules: readonly ReadyRule[], places: readonly TextPlace[]): string[] {
    const patience = { steps: PATIENCE }
    const unchanging = rules.filter(({ action }) => action !== 'mask')
    const judged = places.map(({ text, isSigned }) =>
      patiently(isSigned ? unchanging : rules, text, patience),
    )
    const across = findAcross(places, text => patiently(rules, text, { steps: PATIENCE }))
    const all = [...judged.flat(), ...across.map(({ finding }) => finding)]
    for (const { rule } of all) this.tally.add(rule.name, rule.action)
    const blocking = rules.find(rule => rule.action === 'block' && all.some(found => found.rule === rule))
    if (blocking) throw blocked(side, blocking.name)
    return places.map(({ text }, at) => {
      const parts = across.flatMap(one => one.parts.get(at) ?? [])
      return maskText(text, toMask([...(judged[at] ?? []), ...parts]))
    })
  }
}

function readable(places: readonly TextPlace[]): readonly TextPlace[] {
  return places.filter(({ text }) => text !== '')
}

/** Whether any of them is another now. */
function put(places: readonly TextPlace[], texts: readonly string[]): boolean {
  let isChanged = false
  for (const [at, place] of places.entries()) {
    const text = texts[at]
    if (text === undefined || text === place.text) continue
    place.put(text)
    isChanged = true
  }
  return isChanged
}

/** A rule that only takes note is no reason to refuse anything. */
function patiently(
  rules: readonly ReadyRule[],
  text: string,
  patience: { steps: number },
): readonly Finding[] {
  try {
    return judgeText(rules, text, 0, true, patience).findings
  } catch (error) {
    if (!(error instanceof TooLongToSearch)) throw error
    const { rule } = error
    if (rule.action !== 'note') throw new AppError('guard.too-long', { rule: rule.name })
    return patiently(
      rules.filter(other => other !== rule),
      text,
      { steps: PATIENCE },
    )
  }
}

export function toMask(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ rule }) => rule.action === 'mask')
}

export function blocked(side: Side, rule: string, reason = ''): AppError {
  if (reason !== '') return new AppError('guard.because', { rule, reason })
  return new AppError(side === 'input' ? 'guard.asked' : 'guard.answered', { rule })
}
