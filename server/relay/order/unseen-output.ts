import type { Caller } from '../callers/caller.ts'

/** Nearly no model says more in one answer, thoughts included. */
export const MOST_OUTPUT = 131_072
/** The limits that an upstream may be told: nearly every model that thinks takes the larger. */
const MOST_TOLD = 32_768
const LEAST_TOLD = 8192
/** After so many answers of a model the limit goes by the longest of them, times the margin. */
const ENOUGH_ANSWERS = 20
const MARGIN = 4
/** One such call may hold this part of the balance that is left: a half. */
const SHARE = 2
/** Unlimited calls are let out while the wallet has this many times what all of the user's could cost. */
const TIMES = 4
const MOST_KNOWN = 2000

/** Names of models that think and do not show it, as vendors have them behind the last slash. */
const thinking =
  /^(o\d|gpt-([5-9]|[12]\d)|codex|claude-(opus|sonnet|haiku|fable)-([5-9]|4-[6-9])|gemini-(2\.5|[3-9])|grok-(3-mini|[4-9])|deepseek-r)/i
const silent = /non-reasoning|non-thinking|-chat/i

interface UnderWay {
  calls: number
  /** What those that nothing limits could cost. */
  possible: number
  /** What is held for the others. */
  held: number
}

/**
 * Calls whose answers cost money that nobody sees coming: the vendor tells how long a model thought only at the end.
 * Without a limit of the client's, such a call may cost many times what is usually held. With plenty of money it goes
 * out unlimited. Otherwise more is held than usual, within a share of the balance, and the upstream is told to keep to
 * what that pays for.
 */
export class UnseenOutput {
  readonly #users = new Map<number, UnderWay>()
  readonly #sizes = new Map<string, { answers: number; largest: number }>()
  readonly #named = new Map<string, boolean>()

  /** A model has thought about an answer: how many tokens that took, thoughts included. */
  learn(model: string, output: number): void {
    const known = this.#sizes.get(model)
    if (known) {
      known.answers++
      known.largest = Math.max(known.largest, output)
      return
    }
    if (this.#sizes.size >= MOST_KNOWN) this.#sizes.clear()
    this.#sizes.set(model, { answers: 1, largest: output })
  }

  /** Whether the model may think. `asked`: the request wants it to. That one wants no thoughts is not believed. */
  thinks(model: string, asked: boolean): boolean {
    return asked || this.#sizes.has(model) || this.#isNamed(model)
  }

  #isNamed(model: string): boolean {
    const known = this.#named.get(model)
    if (known !== undefined) return known
    const name = model.slice(model.lastIndexOf('/') + 1)
    const isNamed = thinking.test(name) && !silent.test(name)
    if (this.#named.size >= MOST_KNOWN) this.#named.clear()
    this.#named.set(model, isNamed)
    return isNamed
  }

  /** The limit that an answer of the model is given, in tokens, where it has to have one. */
  sizeOf(model: string): number {
    const known = this.#sizes.get(model)
    // A model that is only known by its answers may refuse a limit above what it can say.
    if (this.#isNamed(model) && (!known || known.answers < ENOUGH_ANSWERS)) return MOST_TOLD
    if (!known) return LEAST_TOLD
    return Math.min(MOST_TOLD, Math.max(LEAST_TOLD, known.largest * MARGIN))
  }

  /** Whether one more call may go out unlimited; then `leave` is due at its end. */
  enter({ userId, balance }: Caller, possible: number): boolean {
    const user = this.#users.get(userId)
    if (((user?.possible ?? 0) + possible) * TIMES > balance - (user?.held ?? 0)) return false
    this.#add(userId, { calls: 1, possible, held: 0 })
    return true
  }

  leave(userId: number, possible: number): void {
    this.#add(userId, { calls: -1, possible: -possible, held: 0 })
  }

  /** The most that one more call may hold; then `hold` is due, and `release` at its end. */
  shareOf({ userId, balance }: Caller): number {
    const held = this.#users.get(userId)?.held ?? 0
    return Math.max(0, Math.floor((balance - held) / SHARE))
  }

  hold(userId: number, held: number): void {
    this.#add(userId, { calls: 1, possible: 0, held })
  }

  release(userId: number, held: number): void {
    this.#add(userId, { calls: -1, possible: 0, held: -held })
  }

  #add(userId: number, by: UnderWay): void {
    const user = this.#users.get(userId) ?? { calls: 0, possible: 0, held: 0 }
    user.calls += by.calls
    user.possible += by.possible
    user.held += by.held
    if (user.calls > 0) this.#users.set(userId, user)
    else this.#users.delete(userId)
  }
}
