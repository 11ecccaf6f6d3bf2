import { isObject, type Json, parseObject } from '../../dialects/json.ts'
import { type CoolDown, coolDown } from './cool-down.ts'
import { makeRoom } from './make-room.ts'

/** A key found unusable may have been paid for, or its vendor may have erred: it is tried again after this. */
export const KEY_REST_MS = 600_000
/** The last that works takes its channel along, so it rests no longer than after a fault of the server. */
export const LAST_KEY_REST_MS = 10_000
/** Models whose limits are remembered; those that were limited first are forgotten first. */
const MOST_MODELS = 500
/** Shorter ones are no secrets, and shorter parts of a joined key are regions: blanking them garbles texts. */
const SECRET_LENGTH = { whole: 6, part: 16 } as const

/** One key a line, except where the whole text is one JSON document, such as a service account. */
export function splitKeys(text: string): readonly string[] {
  const whole = text.trim()
  if (whole.startsWith('{') && parseObject(whole)) return [whole]
  return [...new Set(whole.split('\n').flatMap(line => line.trim() || []))]
}

/** The keys of one channel, taken in turn; those that were found unusable rest, and for a model those it has limited. */
export class ChannelKeys {
  readonly all: readonly string[]
  readonly #clock: () => number
  readonly #unusableUntil = new Map<string, number>()
  /** By model. Nothing is there as long as none was ever limited, or if there is one key alone. */
  #limited: Map<string, Map<string, CoolDown>> | undefined
  #turn = 0

  constructor(text: string, clock: () => number) {
    const keys = splitKeys(text)
    // An upstream of one's own may want no key, which is not the same as having none that works.
    this.all = keys.length > 0 ? keys : ['']
    this.#clock = clock
  }

  /** One that rests neither by itself nor for the model, and is none of those that are `spent`. */
  next(model?: string, spent?: readonly string[]): string | undefined {
    for (let tried = 0; tried < this.all.length; tried++) {
      const key = this.all[this.#turn]
      this.#turn = (this.#turn + 1) % this.all.length
      if (key !== undefined && this.#isFree(key, model, spent)) return key
    }
    return undefined
  }

  /** Whether `next` would find one. */
  has(model: string, spent: readonly string[]): boolean {
    return this.all.some(key => this.#isFree(key, model, spent))
  }

  setAside(key: string, forMs = this.#restOf(key)): void {
    if (this.all.includes(key)) this.#unusableUntil.set(key, this.#clock() + forMs)
  }

  #restOf(key: string): number {
    const isLast = this.all.every(other => other === key || !this.#isFree(other))
    return isLast ? LAST_KEY_REST_MS : KEY_REST_MS
  }

  /** The upstream has enough of this one for now, as far as the model goes. */
  limit(key: string, model: string, retryAfter: number | undefined): void {
    if (!this.all.includes(key)) return
    this.#limited ??= new Map()
    const known = this.#limited.get(model)
    if (!known) makeRoom(this.#limited, MOST_MODELS)
    const keys = known ?? new Map<string, CoolDown>()
    this.#limited.set(model, keys)
    const rest = keys.get(key) ?? { cooled: 0, coolUntil: 0 }
    keys.set(key, rest)
    coolDown(rest, this.#clock(), retryAfter)
  }

  /** It was answered: when it is limited again, it is for the first time. */
  answered(key: string, model: string): void {
    const keys = this.#limited?.get(model)
    const rest = keys?.get(key)
    // What was under way when it was limited says nothing of how it is now.
    if (!keys || !rest || rest.coolUntil > this.#clock()) return
    keys.delete(key)
    if (keys.size === 0) this.#limited?.delete(model)
  }

  /** When a key can be had, for the model if one is named: 0 while there is one. */
  readyAt(model?: string): number {
    const limited = this.#limitedFor(model)
    if (this.#unusableUntil.size + (limited?.size ?? 0) < this.all.length) return 0
    let soonest = Number.POSITIVE_INFINITY
    for (const key of this.all) soonest = Math.min(soonest, this.#restsUntil(key, limited))
    return soonest <= this.#clock() ? 0 : soonest
  }

  /** Until when each of those rests that do; for one model, or where none is named for all of them. */
  restTimes(model?: string): number[] {
    const limited = this.#limitedFor(model)
    const now = this.#clock()
    return this.all.map(key => this.#restsUntil(key, limited)).filter(until => until > now)
  }

  /** The models for which a key was limited. */
  get limitedModels(): Iterable<string> {
    return this.#limited?.keys() ?? []
  }

  #limitedFor(model: string | undefined): ReadonlyMap<string, CoolDown> | undefined {
    return model === undefined ? undefined : this.#limited?.get(model)
  }

  #restsUntil(key: string, limited: ReadonlyMap<string, CoolDown> | undefined): number {
    return Math.max(this.#unusableUntil.get(key) ?? 0, limited?.get(key)?.coolUntil ?? 0)
  }

  #isFree(key: string, model?: string, spent?: readonly string[]): boolean {
    if (spent?.includes(key)) return false
    const until = this.#restsUntil(key, this.#limitedFor(model))
    if (until === 0) return true
    if (until > this.#clock()) return false
    this.#unusableUntil.delete(key)
    return true
  }
}

/** Everything of a key that must not be seen: itself and the parts it is joined of. */
export function secretsIn(key: string): readonly string[] {
  if (key.length < SECRET_LENGTH.whole) return []
  const parts = key.startsWith('{') ? textsIn(parseObject(key)) : key.split('|')
  return [key, ...parts.filter(part => part.length >= SECRET_LENGTH.part && part !== key)]
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
