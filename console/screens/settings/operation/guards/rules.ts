// The list of guards as its form sees it. No React in here.

import { judgeText, makeReady, maskText, type ReadyRule } from '../../../../../contract/guards/judge.ts'
import { type GuardKind, guardKinds } from '../../../../../contract/guards/kinds.ts'
import {
  type GuardRule,
  type GuardSide,
  guardSides,
  isAsked,
  LONGEST_WAIT,
  type Look,
  type ModelLook,
} from '../../../../../contract/guards/rule.ts'
import type { Language } from '../../../../../contract/language.ts'
import { KEPT_SECRET } from '../../../../../contract/settings/define.ts'
import { faultOfRule, guardSettings } from '../../../../../contract/settings/guards.ts'

/** The rules that a text stands for; undefined where it is none. */
export function readRules(text: string): readonly GuardRule[] | undefined {
  try {
    return guardSettings.Guards.decode(text)
  } catch {
    return undefined
  }
}

export function writeRules(rules: readonly GuardRule[]): string {
  return guardSettings.Guards.encode([...rules])
}

export function moveRule(rules: readonly GuardRule[], from: number, to: number): readonly GuardRule[] {
  const rule = rules[from]
  return rule ? rules.toSpliced(from, 1).toSpliced(to, 0, rule) : rules
}

export interface RuleForm {
  readonly name: string
  readonly enabled: boolean
  readonly where: readonly GuardSide[]
  readonly by: Look['by']
  readonly kinds: readonly GuardKind[]
  readonly words: string
  readonly pattern: string
  readonly url: string
  /** Stars for the one that is stored. */
  readonly secret: string
  readonly judge: string
  /** One to a line, with its score behind it. */
  readonly categories: string
  readonly seconds: string
  readonly otherwise: 'allow' | 'block'
  readonly action: GuardRule['action']
  readonly groups: string
  readonly models: string
}

const blank: RuleForm = {
  name: '',
  enabled: true,
  where: ['input'],
  by: 'kinds',
  kinds: [],
  words: '',
  pattern: '',
  url: '',
  secret: '',
  judge: '',
  categories: '',
  seconds: '5',
  otherwise: 'allow',
  action: 'mask',
  groups: '',
  models: '',
}

export function formOf(rule: GuardRule | undefined): RuleForm {
  if (!rule) return blank
  const { name, enabled, where, looks, action, groups, models } = rule
  const anyway = {
    ...blank,
    name,
    enabled,
    where,
    by: looks.by,
    action,
    groups: groups.join(', '),
    models: models.join(', '),
  }
  switch (looks.by) {
    case 'kinds':
      return { ...anyway, kinds: looks.kinds }
    case 'words':
      return { ...anyway, words: looks.words.join('\n') }
    case 'pattern':
      return { ...anyway, pattern: looks.pattern }
    case 'webhook':
      return { ...anyway, ...askedIn(looks), url: looks.url, secret: looks.secret ?? '' }
    case 'model':
      return {
        ...anyway,
        ...askedIn(looks),
        judge: looks.model,
        categories: writeCategories(looks).join('\n'),
      }
  }
}

function askedIn({ seconds, otherwise }: { seconds: number; otherwise: 'allow' | 'block' }) {
  return { seconds: String(seconds), otherwise }
}

function writeCategories({ categories }: ModelLook): string[] {
  return Object.entries(categories).map(([name, from]) => (from === 'flagged' ? name : `${name} ${from}`))
}

/** A score that is none stays as it is: it is found to be wrong. */
function readCategories(text: string): ModelLook['categories'] {
  const lines = split(text, /\n/).map((line): [string, number | 'flagged'] => {
    const [, name = line, score] = /^(.+?)[\s:=]+([\d.]+)$/.exec(line) ?? []
    return [name, score === undefined ? 'flagged' : Number(score)]
  })
  return Object.fromEntries(lines)
}

export type RuleField =
  | 'name'
  | 'where'
  | 'kinds'
  | 'words'
  | 'pattern'
  | 'url'
  | 'secret'
  | 'judge'
  | 'categories'
  | 'seconds'
/** Words of the catalogue, or a fault in the words of the contract. */
export type RuleFaults = { readonly [field in RuleField]?: string }

interface Read {
  readonly rule: GuardRule
  readonly faults: RuleFaults
}

/** `former` is the rule as it was, `others` are the others. A fault that is blank says only that something is missing. */
export function readForm(
  form: RuleForm,
  former: GuardRule | undefined,
  others: readonly GuardRule[],
  language: Language,
): Read {
  const rule: GuardRule = {
    name: form.name.trim(),
    enabled: form.enabled,
    where: guardSides.filter(side => form.where.includes(side)),
    groups: names(form.groups),
    models: names(form.models),
    looks: lookOf(form),
    action: form.by === 'model' && form.action === 'mask' ? 'block' : form.action,
  }
  const faults = faultsOf(rule, others, language)
  const isLost = Object.keys(faults).length === 0 && losesSecret(rule, former)
  return { rule, faults: isLost ? { secret: '' } : faults }
}

/** What is stored is for who got it: for another name or address it has to be entered again. */
function losesSecret({ name, looks }: GuardRule, former: GuardRule | undefined): boolean {
  if (looks.by !== 'webhook' || looks.secret !== KEPT_SECRET) return false
  return former?.looks.by !== 'webhook' || former.name !== name || former.looks.url !== looks.url
}

function faultsOf(rule: GuardRule, others: readonly GuardRule[], language: Language): RuleFaults {
  const { name, where, looks } = rule
  if (name === '') return { name: '' }
  if (where.length === 0) return { where: '' }
  const taken = others.some(other => other.name === name)
  const fault = faultOfRule(rule, others)?.[language] ?? ''
  if (taken) return { name: fault }
  switch (looks.by) {
    case 'kinds':
      return looks.kinds.length === 0 ? { kinds: '' } : {}
    case 'words':
      return looks.words.length === 0 ? { words: '' } : {}
    case 'pattern':
      if (looks.pattern === '') return { pattern: '' }
      return fault === '' ? {} : { pattern: fault }
    case 'webhook':
      if (looks.url === '') return { url: '' }
      if (fault !== '') return { url: fault }
      return faultsOfTime(looks.seconds)
    case 'model':
      if (looks.model === '') return { judge: '' }
      if (!Object.values(looks.categories).every(isScore)) return { categories: '' }
      return faultsOfTime(looks.seconds)
  }
}

function faultsOfTime(seconds: number): RuleFaults {
  const isTime = Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST_WAIT
  return isTime ? {} : { seconds: '' }
}

function isScore(from: number | 'flagged'): boolean {
  return from === 'flagged' || (from >= 0 && from <= 1)
}

function lookOf(form: RuleForm): Look {
  const { by, kinds, pattern, otherwise } = form
  const seconds = Number(form.seconds)
  switch (by) {
    case 'kinds':
      return { by, kinds: [...kinds] }
    case 'words':
      return { by, words: split(form.words, /\n/) }
    case 'pattern':
      return { by, pattern }
    case 'webhook': {
      const secret = form.secret.trim()
      return { by, url: form.url.trim(), ...(secret === '' ? {} : { secret }), seconds, otherwise }
    }
    case 'model':
      return { by, model: form.judge.trim(), categories: readCategories(form.categories), seconds, otherwise }
  }
}

function names(text: string): string[] {
  return split(text, /[,，\n]/)
}

function split(text: string, at: RegExp): string[] {
  const parts = text.split(at).map(part => part.trim())
  return [...new Set(parts.filter(part => part !== ''))]
}

/** What a rule looks for, in few words. */
export function describeLook(looks: Look, language: Language): string {
  switch (looks.by) {
    case 'kinds':
      return looks.kinds.map(kind => guardKinds[kind][language]).join(language === 'zh' ? '、' : ', ')
    case 'words':
      return looks.words.join(language === 'zh' ? '、' : ', ')
    case 'pattern':
      return looks.pattern
    case 'webhook':
      return looks.url
    case 'model':
      return [looks.model, ...writeCategories(looks)].join(language === 'zh' ? '、' : ', ')
  }
}

export interface Tried {
  /** Undefined where it would not get through. */
  readonly text: string | undefined
  readonly found: readonly { readonly name: string; readonly count: number }[]
  readonly blockedBy: string | undefined
}

const PATIENCE = 5_000_000

/** What the rules that are judged here would make of a text; nobody is asked. */
export function tryRules(rules: readonly GuardRule[], side: GuardSide, text: string): Tried {
  const ready: ReadyRule[] = rules
    .filter(({ enabled, where }) => enabled && where.includes(side))
    .flatMap(rule => (isAsked(rule.looks) ? [] : makeReady(rule, rule.looks)))
  const { findings } = judgeText(ready, text, 0, true, { steps: PATIENCE })
  const found = ready
    .map(rule => ({ name: rule.name, count: findings.filter(one => one.rule === rule).length }))
    .filter(({ count }) => count > 0)
  const blocking = ready.find(rule => rule.action === 'block' && findings.some(one => one.rule === rule))
  const masks = findings.filter(({ rule }) => rule.action === 'mask')
  return { text: blocking ? undefined : maskText(text, masks), found, blockedBy: blocking?.name }
}
