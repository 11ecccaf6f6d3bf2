import { parseObject } from '../../dialects/json.ts'

/** A key found unusable may have been paid for, or its vendor may have erred: it is tried again after this. */
export const KEY_REST_MS = 600_000
/** The last that works takes its channel along, so it rests no longer than after a fault of the server. */
export const LAST_KEY_REST_MS = 10_000
/** Shorter ones are no secrets, and shorter parts of a joined key are regions: blanking them garbles texts. */
const SECRET_LENGTH = { whole: 6, part: 16 } as const

/** One key a line, except where the whole text is one JSON document, such as a service account. */
export function splitKeys(text: string): readonly string[] {
  const whole = text.trim()
  if (whole.startsWith('{') && parseObject(whole)) return [whole]
  return [...new Set(whole.split('\n').flatMap(line => line.trim() || []))]
}

/** The keys of one channel, taken in turn; those that were found unusable rest. */
export class ChannelKeys {
  readonly all: readonly string[]
  readonly #clock: () => number
  readonly #restingUntil = new Map<string, number>()
  #turn = 0

  constructor(text: string, clock: () => number) {
    const keys = splitKeys(text)
    // An upstream of one's own may want no key, which is not the same as having none that works.
    this.all = keys.length > 0 ? keys : ['']
    this.#clock = clock
  }

  next(): string | undefined {
    for (let tried = 0; tried < this.all.length; tried++) {
      const key = this.all[this.#turn]
      this.#turn = (this.#turn + 1) % this.all.length
      if (key !== undefined && !this.#rests(key)) return key
    }
    return undefined
  }

  setAside(key: string, forMs = this.#restOf(key)): void {
    if (this.all.includes(key)) this.#restingUntil.set(key, this.#clock() + forMs)
  }

  #restOf(key: string): number {
    const isLast = this.all.every(other => other === key || this.#rests(other))
    return isLast ? LAST_KEY_REST_MS : KEY_REST_MS
  }

  /** When a key can be had: 0 while there is one. */
  get readyAt(): number {
    if (this.#restingUntil.size < this.all.length) return 0
    const soonest = Math.min(...this.#restingUntil.values())
    return soonest <= this.#clock() ? 0 : soonest
  }

  #rests(key: string): boolean {
    const until = this.#restingUntil.get(key)
    if (until === undefined) return false
    if (until > this.#clock()) return true
    this.#restingUntil.delete(key)
    return false
  }
}

/** Everything of a key that must not be seen: itself and the parts it is joined of. */
export function secretsIn(key: string): readonly string[] {
  if (key.length < SECRET_LENGTH.whole) return []
  return [key, ...key.split('|').filter(part => part.length >= SECRET_LENGTH.part && part !== key)]
}
