import type { Act, Operation } from '../../../contract/override/operations.ts'
import type { Path } from '../../../contract/override/path.ts'
import { OutOfPatience } from '../../../contract/override/pattern.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { changeAt, readAt } from './change-at.ts'
import { keepReckoned } from './keep-reckoned.ts'
import { meets } from './meets.ts'
import { OperatorRefusal } from './operator-refusal.ts'
import { pruneObjects } from './prune-objects.ts'

/** How far patterns may look in one call: some hundredths of a second. */
const PATTERN_STEPS = 500_000
/** How much longer operations may make a request. */
const MOST_GROWTH = 8 * 1024 * 1024

/** What operations may know of a call besides its body. */
export interface Overridden {
  /** As the upstream names it, and as the client did. */
  readonly model: string
  readonly askedModel: string
  /** Whether the client, or its money, has set how long the answer may be. */
  readonly isLimited: boolean
}

type HeaderAct = Extract<Act, { mode: `${string}_header${string}` }>

/** The operations of a channel at work on one request. */
export class OverrideRun {
  readonly #operations: readonly Operation[]
  readonly #call: Overridden
  readonly #headerActs: HeaderAct[] = []
  readonly #patience = { steps: PATTERN_STEPS }
  #growth = MOST_GROWTH
  #body: JsonObject = {}

  constructor(operations: readonly Operation[], call: Overridden) {
    this.#operations = operations
    this.#call = call
  }

  /** The body as it is to be sent. Throws what the operator has to say to whoever asks for such a thing. */
  run(body: JsonObject): JsonObject {
    this.#body = body
    for (const operation of this.#operations)
      if (!operation.when || meets(operation.when, this.#read)) this.#do(operation)
    return keepReckoned(body, this.#body, this.#call.isLimited)
  }

  /** Only what has become otherwise; undefined is for what is gone. */
  edits(body: JsonObject): JsonObject | undefined {
    const next = this.run(body)
    if (next === body) return undefined
    const edits: JsonObject = {}
    for (const name of new Set([...Object.keys(body), ...Object.keys(next)]))
      if (next[name] !== body[name]) edits[name] = next[name]
    return edits
  }

  /** What the operations wanted of the headers. `shown` tells what may be seen of the client's own. */
  editHeaders(
    headers: Record<string, string>,
    shown: (name: string) => string | null,
    fill: (text: string) => string,
  ): void {
    const give = (name: string, value: string | null | undefined, keeps: boolean): void => {
      if (value !== null && value !== undefined && !(keeps && headers[name] !== undefined))
        headers[name] = value
    }
    for (const act of this.#headerActs)
      switch (act.mode) {
        case 'set_header':
          give(act.name, fill(act.value), act.keeps)
          break
        case 'delete_header':
          delete headers[act.name]
          break
        case 'pass_headers':
          for (const name of act.names) give(name, shown(name), act.keeps)
          break
        case 'copy_header':
        case 'move_header':
          give(act.to, headers[act.from] ?? shown(act.from), act.keeps)
          if (act.mode === 'move_header' && act.to !== act.from) delete headers[act.from]
      }
  }

  /** An arrow, because it is handed over. */
  #read = (path: Path): Json | undefined => {
    if (path.length === 1 && path[0] === 'model') return this.#call.model
    if (path.length === 1 && path[0] === 'original_model') return this.#call.askedModel
    return readAt(this.#body, path)
  }

  #do(act: Act): void {
    switch (act.mode) {
      case 'set':
        return this.#change(act.path, value =>
          act.keeps && value !== undefined ? value : this.#grown(act.value as Json),
        )
      case 'delete':
        return this.#change(act.path, () => undefined)
      case 'move':
      case 'copy':
        return this.#carry(act)
      case 'append':
      case 'prepend':
        return this.#change(act.path, value => this.#joined(value, act))
      case 'replace':
        return this.#changeText(act.path, text => this.#replaced(text, act.from, act.to))
      case 'regex_replace':
        return this.#changeText(act.path, text => this.#matched(text, act))
      case 'prune_objects':
        return this.#change(act.path, value => pruneObjects(value, act.having))
      case 'return_error': {
        const { status, message, code = 'request_refused', type } = act
        throw new OperatorRefusal({ status, message, code, param: null, ...(type && { type }) })
      }
      case 'set_header':
      case 'delete_header':
      case 'copy_header':
      case 'move_header':
      case 'pass_headers':
        this.#headerActs.push(act)
        return
      default:
        return this.#changeText(act.path, text => this.#trimmed(text, act))
    }
  }

  #change(path: Path, change: (value: Json | undefined) => Json | undefined): void {
    const next = changeAt(this.#body, path, change)
    if (isObject(next)) this.#body = next
  }

  #changeText(path: Path, change: (text: string) => string): void {
    this.#change(path, value => (typeof value === 'string' ? change(value) : value))
  }

  #carry({ mode, from, to, keeps }: Extract<Act, { mode: 'move' | 'copy' }>): void {
    const value = readAt(this.#body, from)
    if (value === undefined || (keeps && readAt(this.#body, to) !== undefined)) return
    // First taken away: what stands inside it would be gone with it.
    if (mode === 'move') this.#change(from, () => undefined)
    this.#change(to, () => this.#grown(value))
  }

  #joined(
    value: Json | undefined,
    { mode, value: added, keeps }: Extract<Act, { mode: 'append' | 'prepend' }>,
  ): Json | undefined {
    const more = this.#grown(added as Json)
    const isAfter = mode === 'append'
    if (value === undefined || value === null) return more
    if (Array.isArray(value)) {
      const entries = Array.isArray(more) ? more : [more]
      return isAfter ? [...value, ...entries] : [...entries, ...value]
    }
    if (typeof value === 'string' && typeof more === 'string') return isAfter ? value + more : more + value
    if (isObject(value) && isObject(more))
      return isAfter && !keeps ? { ...value, ...more } : { ...more, ...value }
    return value
  }

  #trimmed(
    text: string,
    act: Extract<Act, { mode: `trim_${string}` | `ensure_${string}` | `to_${string}` }>,
  ) {
    switch (act.mode) {
      case 'trim_prefix':
        return text.startsWith(act.text) ? text.slice(act.text.length) : text
      case 'trim_suffix':
        return text.endsWith(act.text) ? text.slice(0, -act.text.length) : text
      case 'ensure_prefix':
        return text.startsWith(act.text) ? text : this.#grown(act.text) + text
      case 'ensure_suffix':
        return text.endsWith(act.text) ? text : text + this.#grown(act.text)
      case 'trim_space':
        return text.trim()
      case 'to_lower':
        return text.toLowerCase()
      case 'to_upper':
        return text.toUpperCase()
    }
  }

  #replaced(text: string, from: string, to: string): string {
    const more = to.length - from.length
    for (let at = text.indexOf(from); more > 0 && at >= 0; at = text.indexOf(from, at + from.length))
      this.#grow(more)
    return text.replaceAll(from, () => to)
  }

  #matched(text: string, { path, from, to }: Extract<Act, { mode: 'regex_replace' }>): string {
    try {
      const next = from.replace(text, to, this.#patience)
      this.#grow(next.length - text.length)
      return next
    } catch (error) {
      if (!(error instanceof OutOfPatience)) throw error
      refuseField(path.join('.'), 'field.too-long-for-channel')
    }
  }

  /** The same, once it is clear that there is room for it. */
  #grown<T extends Json>(value: T): T {
    const waiting: Json[] = [value]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      this.#grow(typeof one === 'string' ? one.length + 8 : 8)
      if (Array.isArray(one)) for (const inner of one) waiting.push(inner)
      else if (isObject(one))
        for (const [name, inner] of Object.entries(one)) {
          this.#grow(name.length)
          if (inner !== undefined) waiting.push(inner)
        }
    }
    return value
  }

  #grow(by: number): void {
    if (by > 0) this.#growth -= by
    if (this.#growth < 0) refuseField('body', 'field.too-long-for-channel')
  }
}
