import { isLimit, mayChange } from './guarded.ts'
import { type HeaderName, isHeaderValue, parseHeaderName } from './headers.ts'
import {
  type Act,
  type CompareMode,
  type Condition,
  type Conditions,
  compareModes,
  type Operation,
  plainTextModes,
  textModes,
} from './operations.ts'
import { type Path, parsePath } from './path.ts'
import { Pattern } from './pattern.ts'

const MOST_OPERATIONS = 64
const MOST_CONDITIONS = 16
const MOST_NAMES = 50
const LONGEST_TEXT = 4000
const LONGEST_MESSAGE = 1000

/** What is wrong with an operation, and where it stands. */
export class OperationFault extends Error {
  readonly why: 'alone' | 'kind' | 'path' | 'guarded' | 'mode' | 'pattern' | 'many'
  readonly at: string
  readonly detail: string

  constructor(why: OperationFault['why'], at: string, detail = '') {
    super(`${at}: ${why} ${detail}`)
    this.why = why
    this.at = at
    this.detail = detail
  }
}

/** Whether an override is a list of operations; otherwise its members are put into requests as they are. */
export function hasOperations(override: object): override is { readonly operations: unknown } {
  return Object.hasOwn(override, 'operations')
}

/** Checked, with paths and patterns read once and for all. Throws `OperationFault`. */
export function readOperations(override: { readonly operations: unknown }): readonly Operation[] {
  const { operations, ...others } = override
  const [other] = Object.keys(others)
  if (other !== undefined) throw new OperationFault('alone', 'operations', other.slice(0, 40))
  if (!Array.isArray(operations)) throw new OperationFault('kind', 'operations')
  if (operations.length > MOST_OPERATIONS)
    throw new OperationFault('many', 'operations', String(MOST_OPERATIONS))
  return operations.map((operation: unknown, index) => new Reader(operation, `operations[${index}]`).read())
}

type Fields = Readonly<Record<string, unknown>>

class Reader {
  readonly #fields: Fields
  readonly #at: string

  constructor(operation: unknown, at: string) {
    this.#at = at
    this.#fields = isObject(operation) ? operation : this.#refuse('kind', '')
  }

  read(): Operation {
    const act = this.#readAct()
    const when = this.#readConditions()
    return when ? { ...act, when } : act
  }

  #readAct(): Act {
    const { mode } = this.#fields
    for (const one of textModes)
      if (mode === one) return { mode: one, path: this.#path('path', one), text: this.#text('value') }
    for (const one of plainTextModes) if (mode === one) return { mode: one, path: this.#path('path', one) }
    switch (mode) {
      case 'set':
        return { mode, path: this.#path('path', mode), value: this.#value(), keeps: this.#keeps() }
      case 'append':
      case 'prepend':
        return { mode, path: this.#path('path', mode), value: this.#value(), keeps: this.#keeps() }
      case 'delete':
        return { mode, path: this.#path('path', mode) }
      case 'move':
      case 'copy':
        return this.#readMove(mode)
      case 'replace':
        return { mode, path: this.#path('path', mode), from: this.#text('from'), to: this.#textOrNone('to') }
      case 'regex_replace':
        return { mode, path: this.#path('path', mode), from: this.#pattern(), to: this.#textOrNone('to') }
      case 'prune_objects':
        return { mode, path: this.#prunedPath(), having: this.#having() }
      case 'return_error':
        return this.#readError()
      case 'set_header':
        return { mode, name: this.#header('path'), value: this.#headerValue(), keeps: this.#keeps() }
      case 'delete_header':
        return { mode, name: this.#header('path') }
      case 'copy_header':
      case 'move_header':
        return { mode, from: this.#header('from'), to: this.#header('to'), keeps: this.#keeps() }
      case 'pass_headers':
        return { mode, names: this.#headers(), keeps: this.#keeps() }
      default:
        return this.#refuse('mode', 'mode', String(mode).slice(0, 40))
    }
  }

  #readMove(mode: 'move' | 'copy'): Act {
    const from = this.#readPath('from', false)
    const to = this.#path('to', mode, false)
    const mayLeave = mode === 'copy' || (isLimit(from) ? isLimit(to) : mayChange('delete', from))
    if (!mayLeave) this.#refuse('guarded', 'from', from.join('.'))
    return { mode, from, to, keeps: this.#keeps() }
  }

  #readError(): Act {
    const { value } = this.#fields
    const given: Fields = typeof value === 'string' ? { message: value } : this.#object('value')
    const { message, status_code, status = status_code ?? 400, code, type } = given
    if (typeof message !== 'string' || message.trim() === '' || message.length > LONGEST_MESSAGE)
      this.#refuse('kind', 'value.message')
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599)
      this.#refuse('kind', 'value.status_code')
    for (const [name, word] of Object.entries({ code, type }))
      if (word !== undefined && !(typeof word === 'string' && /^[\w.:-]{1,64}$/.test(word)))
        this.#refuse('kind', `value.${name}`)
    return {
      mode: 'return_error',
      status,
      message,
      code: typeof code === 'string' ? code : undefined,
      type: typeof type === 'string' ? type : undefined,
    }
  }

  #readConditions(): Conditions | undefined {
    const { conditions, logic } = this.#fields
    if (conditions === undefined || conditions === null) return undefined
    if (!Array.isArray(conditions)) this.#refuse('kind', 'conditions')
    if (conditions.length > MOST_CONDITIONS) this.#refuse('many', 'conditions', String(MOST_CONDITIONS))
    if (logic !== undefined && logic !== 'AND' && logic !== 'OR') this.#refuse('kind', 'logic')
    if (conditions.length === 0) return undefined
    const each = conditions.map((one: unknown, index) =>
      new Reader(one, `${this.#at}.conditions[${index}]`).#readCondition(),
    )
    return { all: logic === 'AND', each }
  }

  #readCondition(): Condition {
    const { mode, value } = this.#fields
    const known = compareModes.find(one => one === mode)
    if (known === undefined) return this.#refuse('mode', 'mode', String(mode).slice(0, 40))
    if (!isComparable(known, value)) this.#refuse('kind', 'value')
    return {
      path: this.#readPath('path', false),
      mode: known,
      value,
      inverted: this.#flag('invert'),
      holdsWithout: this.#flag('pass_missing_key'),
    }
  }

  #readPath(name: string, allowsAll: boolean): Path {
    const given = this.#fields[name]
    const path = parsePath(given, allowsAll)
    return path ?? this.#refuse('path', name, typeof given === 'string' ? given.slice(0, 60) : '')
  }

  #path(name: string, mode: string, allowsAll = true): Path {
    const path = this.#readPath(name, allowsAll)
    return mayChange(mode, path) ? path : this.#refuse('guarded', name, path.join('.'))
  }

  /** Without one it is the whole request. */
  #prunedPath(): Path {
    const { path } = this.#fields
    return path === undefined || path === '' ? [] : this.#path('path', 'prune_objects')
  }

  #having(): readonly (readonly [string, unknown])[] {
    const { value } = this.#fields
    if (typeof value === 'string' && value !== '') return [['type', value]]
    const given = this.#object('value')
    const having = Object.entries(isObject(given.where) ? given.where : given)
    const isGood = having.length > 0 && having.every(([, wanted]) => isPlain(wanted))
    return isGood ? having : this.#refuse('kind', 'value')
  }

  #value(): unknown {
    const { value } = this.#fields
    return value === undefined ? this.#refuse('kind', 'value') : value
  }

  #object(name: string): Fields {
    const value = this.#fields[name]
    return isObject(value) ? value : this.#refuse('kind', name)
  }

  #text(name: string): string {
    const text = this.#fields[name]
    return typeof text === 'string' && text !== '' && text.length <= LONGEST_TEXT
      ? text
      : this.#refuse('kind', name)
  }

  #textOrNone(name: string): string {
    const text = this.#fields[name]
    return text === undefined || text === '' ? '' : this.#text(name)
  }

  #pattern(): Pattern {
    try {
      return new Pattern(this.#text('from'))
    } catch (error) {
      if (error instanceof OperationFault) throw error
      return this.#refuse('pattern', 'from', error instanceof Error ? error.message : '')
    }
  }

  #header(name: string): HeaderName {
    return parseHeaderName(this.#fields[name]) ?? this.#refuse('path', name)
  }

  #headerValue(): string {
    const { value } = this.#fields
    return isHeaderValue(value) && value !== '' ? value : this.#refuse('kind', 'value')
  }

  #headers(): readonly HeaderName[] {
    const { value } = this.#fields
    const given = typeof value === 'string' ? value.split(',').map(name => name.trim()) : value
    if (!Array.isArray(given) || given.length === 0) return this.#refuse('kind', 'value')
    if (given.length > MOST_NAMES) this.#refuse('many', 'value', String(MOST_NAMES))
    return given.map((name: unknown) => parseHeaderName(name) ?? this.#refuse('path', 'value'))
  }

  #keeps(): boolean {
    return this.#flag('keep_origin')
  }

  #flag(name: string): boolean {
    const flag = this.#fields[name]
    if (flag !== undefined && flag !== null && typeof flag !== 'boolean') this.#refuse('kind', name)
    return flag === true
  }

  #refuse(why: OperationFault['why'], field: string, detail?: string): never {
    throw new OperationFault(why, field === '' ? this.#at : `${this.#at}.${field}`, detail)
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isComparable(mode: CompareMode, value: unknown): boolean {
  switch (mode) {
    case 'full':
      return isPlain(value)
    case 'prefix':
    case 'suffix':
    case 'contains':
      return typeof value === 'string' && value !== ''
    default:
      return typeof value === 'number'
  }
}
