import {
  type Finding,
  judgeText,
  maskText,
  type ReadyRule,
  TooLongToSearch,
} from '../../../contract/guards/judge.ts'
import type { GuardSide } from '../../../contract/guards/rule.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'
import { type TextPlace, textsIn, textsOfRequest } from '../request/spoken-texts.ts'
import { type Asking, askWebhook } from './ask-webhook.ts'
import type { CallRules, SideRules } from './guards.ts'
import { Tally } from './tally.ts'

/** What patterns may cost in one call, and on each of its sides. */
const PATIENCE = 10_000_000

/** The rules at work in one call. */
export class CallGuard {
  readonly rules: CallRules
  readonly tally = new Tally()
  readonly #asking: Asking

  private constructor(rules: CallRules, asking: Asking) {
    this.rules = rules
    this.#asking = asking
  }

  /** Undefined where no rule is for such calls, which is told by a look. */
  static for(asking: Asking): CallGuard | undefined {
    const rules = asking.parts.guards.for(asking.admitted, asking.model)
    return rules && new CallGuard(rules, asking)
  }

  /** What is found in streams; undefined where nothing is looked for there. */
  get streamRules(): readonly ReadyRule[] | undefined {
    const local = this.rules.output?.local
    return local && local.length > 0 ? local : undefined
  }

  /** Others cannot be asked about an answer that is handed on while it comes. */
  refuseStreams(): void {
    for (const { name, looks } of this.rules.output?.asked ?? [])
      if (looks.otherwise === 'block') throw new AppError('guard.streamed', { rule: name })
  }

  /** The request as it may go on; the very same where nothing was masked. `isAll`: everything in it is spoken. */
  async readRequest(body: JsonBody, isAll = false): Promise<JsonBody> {
    const { input } = this.rules
    if (!input) return body
    const { json } = readExactly(body)
    const places = isAll ? textsIn(json) : textsOfRequest(json)
    if (!(await this.#read('input', input, places))) return body
    const text = JSON.stringify(json)
    return { text, json: JSON.parse(text) }
  }

  /** The texts of a form; undefined where nothing was masked. */
  async readFields(fields: JsonObject): Promise<JsonObject | undefined> {
    const { input } = this.rules
    if (!input) return undefined
    const copy = { ...fields }
    return (await this.#read('input', input, textsOfRequest(copy))) ? copy : undefined
  }

  /** A whole answer, before it is paid: whether something in it was masked. */
  readAnswer(places: readonly TextPlace[]): Promise<boolean> {
    const { output } = this.rules
    return output ? this.#read('output', output, places) : Promise.resolve(false)
  }

  async #read(side: GuardSide, { local, asked }: SideRules, places: readonly TextPlace[]): Promise<boolean> {
    const read = places.filter(({ text, isSigned }) => text !== '' && !isSigned)
    const texts = this.#judge(side, local, read)
    for (const rule of asked) {
      if (texts.length === 0) break
      const verdict = await askWebhook(this.#asking, rule, side, texts)
      if (verdict.action === 'allow') continue
      if (verdict.action === 'block') {
        this.tally.add(rule.name, 'block')
        throw blocked(side, rule.name, verdict.reason)
      }
      const changes = verdict.texts.filter((text, at) => text !== texts[at]).length
      if (changes > 0) this.tally.add(rule.name, 'mask', changes)
      texts.splice(0, texts.length, ...verdict.texts)
    }
    let changed = false
    for (const [at, place] of read.entries()) {
      const text = texts[at]
      if (text === undefined || text === place.text) continue
      place.put(text)
      changed = true
    }
    return changed
  }

  /** The texts with what is to be masked in them masked, or the refusal of the first rule that blocks. */
  #judge(side: GuardSide, rules: readonly ReadyRule[], places: readonly TextPlace[]): string[] {
    const patience = { steps: PATIENCE }
    const judged = places.map(({ text }) => patiently(rules, text, patience))
    const all = judged.flat()
    for (const { rule } of all) this.tally.add(rule.name, rule.action)
    const blocking = rules.find(rule => rule.action === 'block' && all.some(found => found.rule === rule))
    if (blocking) throw blocked(side, blocking.name)
    return places.map(({ text }, at) => maskText(text, toMask(judged[at] ?? [])))
  }
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

export function blocked(side: GuardSide, rule: string, reason = ''): AppError {
  if (reason !== '') return new AppError('guard.because', { rule, reason })
  return new AppError(side === 'input' ? 'guard.asked' : 'guard.answered', { rule })
}
