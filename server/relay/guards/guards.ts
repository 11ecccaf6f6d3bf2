import { makeReady, type ReadyRule } from '../../../contract/guards/judge.ts'
import {
  type AskedLook,
  type GuardAction,
  type GuardRule,
  type GuardSide,
  isAsked,
} from '../../../contract/guards/rule.ts'
import { log } from '../../log.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { Admitted } from '../callers/authorise.ts'

/** A rule whose answer is somebody else's. */
export interface AskedRule {
  readonly name: string
  readonly action: GuardAction
  readonly looks: AskedLook
}

/** Whether what it cannot be asked about is refused. One that only takes note is no reason to refuse anything. */
export function refusesUnasked({ action, looks }: AskedRule): boolean {
  return looks.otherwise === 'block' && !(looks.by === 'model' && action === 'note')
}

/** What is looked at on one side of a call: what is found here, and then who is asked, each in their order. */
export interface SideRules {
  readonly local: readonly ReadyRule[]
  readonly asked: readonly AskedRule[]
}

/** Which sides of a rule are those of a call: tools are read by rules that name them, and models by the others. */
export interface Sides {
  readonly input: GuardSide
  readonly output: GuardSide
}

const ofModels: Sides = { input: 'input', output: 'output' }
const ofTools: Sides = { input: 'tool-input', output: 'tool-output' }

/** The rules for calls of one group and model. */
export interface CallRules {
  readonly sides: Sides
  readonly input: SideRules | undefined
  readonly output: SideRules | undefined
  /** Another where what becomes of an answer may be another: kept answers go by it. */
  readonly mark: string
}

/** A rule with what it was made of. */
interface Compiled {
  readonly rule: GuardRule
  readonly ready: ReadyRule | undefined
}

/** Whose rules are looked for. */
type Grouped = Pick<Admitted, 'group' | 'groups'>

const MOST_KNOWN = 1000

/** The operator's rules, made ready when the settings change. */
export class Guards {
  #given: readonly GuardRule[] | undefined
  #rules: readonly Compiled[] | undefined
  /** Rules by group and model, as they were asked for. */
  readonly #known = new Map<string, CallRules | undefined>()

  constructor(settings: Settings) {
    this.#read(settings.get('Guards'))
    settings.onChange(values => this.#read(values.Guards))
  }

  get areIdle(): boolean {
    return this.#rules === undefined
  }

  /** Undefined where nothing is to be looked at. */
  for(admitted: Grouped, model: string): CallRules | undefined {
    return this.#rules && this.#find(this.#rules, admitted, model, ofModels)
  }

  /** The same for a tool, by the name that it has in the log. */
  forTool(admitted: Admitted, tool: string): CallRules | undefined {
    return this.#rules && this.#find(this.#rules, admitted, tool, ofTools)
  }

  /** Whether what was read by the rules for one model has been read by all that are for another. */
  cover(admitted: Admitted, asked: string, model: string): boolean {
    const needed = this.for(admitted, model)
    if (!needed) return true
    const met = this.for(admitted, asked)
    return hasAll(met?.input, needed.input) && hasAll(met?.output, needed.output)
  }

  #find(
    rules: readonly Compiled[],
    { group, groups = [] }: Grouped,
    model: string,
    sides: Sides,
  ): CallRules | undefined {
    const key = JSON.stringify([sides.input, group, groups, model])
    if (this.#known.has(key)) return this.#known.get(key)
    const all = rules.filter(
      ({ rule }) =>
        isOn(rule, sides) &&
        isFor(rule.groups, [group, ...groups]) &&
        isForModel(rule.models, model) &&
        !asksIt(rule, model),
    )
    const found = all.length === 0 ? undefined : callRules(all, sides)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(key, found)
    return found
  }

  #read(given: readonly GuardRule[]): void {
    // Settings are read anew whenever any of them changes.
    if (this.#given && JSON.stringify(given) === JSON.stringify(this.#given)) return
    this.#given = given
    this.#known.clear()
    const rules = given.filter(({ enabled }) => enabled).flatMap(compile)
    this.#rules = rules.length > 0 ? rules : undefined
  }
}

/** What an older version has stored, or somebody by hand, must not take the program down. */
function compile(rule: GuardRule): readonly Compiled[] {
  const { looks } = rule
  try {
    return [{ rule, ready: isAsked(looks) ? undefined : makeReady(rule, looks) }]
  } catch (error) {
    log.error('a guard cannot be used', { rule: rule.name, error })
    return []
  }
}

function isOn({ where }: GuardRule, { input, output }: Sides): boolean {
  return where.includes(input) || where.includes(output)
}

export function isFor(groups: readonly string[], ofCall: readonly string[]): boolean {
  return groups.length === 0 || groups.some(group => ofCall.includes(group))
}

export function isForModel(models: readonly string[], asked: string): boolean {
  if (models.length === 0) return true
  return models.some(model => (model.endsWith('*') ? asked.startsWith(model.slice(0, -1)) : model === asked))
}

/** Whoever asks the very model that a rule would ask is not in need of that. */
function asksIt({ looks }: GuardRule, model: string): boolean {
  return looks.by === 'model' && looks.model === model
}

function hasAll(met: SideRules | undefined, needed: SideRules | undefined): boolean {
  if (!needed) return true
  return (
    needed.local.every(rule => met?.local.includes(rule)) &&
    needed.asked.every(({ name }) => met?.asked.some(other => other.name === name))
  )
}

function callRules(all: readonly Compiled[], sides: Sides): CallRules {
  const outputs = all.filter(({ rule }) => rule.where.includes(sides.output)).map(({ rule }) => rule)
  return {
    sides,
    input: sideRules(all, sides.input),
    output: sideRules(all, sides.output),
    mark: markOf(outputs),
  }
}

function markOf(rules: readonly GuardRule[]): string {
  return rules.length === 0 ? '' : Bun.hash(JSON.stringify(rules)).toString(36)
}

function sideRules(all: readonly Compiled[], side: GuardSide): SideRules | undefined {
  const here = all.filter(({ rule }) => rule.where.includes(side))
  if (here.length === 0) return undefined
  return {
    local: here.flatMap(({ ready }) => ready ?? []),
    asked: here.flatMap(({ rule: { name, action, looks } }) =>
      isAsked(looks) ? [{ name, action, looks }] : [],
    ),
  }
}
