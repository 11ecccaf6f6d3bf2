import type { Caller } from '../callers/caller.ts'

/** Nearly no model says more in one answer, thoughts included. */
export const MOST_OUTPUT = 131_072
/** And nearly every one that thinks can be told to keep to this. */
const MOST_TOLD = 32_768
const LEAST_TOLD = 8192
/** What was seen of a model counts after so many answers; the longest of them may be exceeded so many times. */
const ENOUGH_ANSWERS = 20
const MARGIN = 4
/** As much of the rest of a balance one such call may hold. */
const SHARE = 2
/** How many times all that a user has under way could cost must be in the wallet, for it to go on unlimited. */
const TIMES = 4
const MOST_KNOWN = 2000

/** By the last part of its name, as vendors call models that think and do not show it. */
const thinking =
  /^(o\d|gpt-([5-9]|[12]\d)|codex|claude-(opus|sonnet|haiku|fable)-([5-9]|4-[6-9])|gemini-(2\.5|[3-9])|grok-(3-mini|[4-9])|deepseek-r)/i
const silent = /non-reasoning|non-thinking|-chat/i

interface UnderWay {
  calls: number
  /** What they could cost, of those that nothing limits. */
  possible: number
  /** What is held for those that are limited. */
  held: number
}

/**
 * Answers that say nothing while they cost: a model's thoughts are told of when they are paid for. What such a call
 * without a limit may cost is many times what is usually held. With plenty of money it goes on unlimited; otherwise
 * so much is held as it could take, within a share of the balance, and the upstream is told to keep to that.
 */
export class UnseenOutput {
  readonly #users = new Map<number, UnderWay>()
  readonly #sizes = new Map<string, { answers: number; largest: number }>()
  readonly #named = new Map<string, boolean>()

  /** Of an answer that was thought about: how long all of it was. */
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

  /** `asked`: whether the request wants it to. Who wants the contrary may be talking to one that always thinks. */
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

  /** How many tokens an answer of the model is given, where it has to be limited. */
  sizeOf(model: string): number {
    const known = this.#sizes.get(model)
    // One that is known by its answers alone may refuse to be told of more than it can say.
    if (this.#isNamed(model) && (!known || known.answers < ENOUGH_ANSWERS)) return MOST_TOLD
    if (!known) return LEAST_TOLD
    return Math.min(MOST_TOLD, Math.max(LEAST_TOLD, known.largest * MARGIN))
  }

  /** Whether it may go on unlimited; then `leave` is due at its end. */
  enter({ userId, balance }: Caller, possible: number): boolean {
    const user = this.#users.get(userId)
    if (((user?.possible ?? 0) + possible) * TIMES > balance - (user?.held ?? 0)) return false
    this.#add(userId, { calls: 1, possible, held: 0 })
    return true
  }

  leave(userId: number, possible: number): void {
    this.#add(userId, { calls: -1, possible: -possible, held: 0 })
  }

  /** What one more call may hold. */
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
