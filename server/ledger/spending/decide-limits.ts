import type { SpendPeriod } from '../../../contract/spend-limits.ts'
import type { SpendLimits } from '../../store/ledger-schema.ts'
import type { Refused } from '../moves.ts'
import { type Counted, shareOf } from './counted.ts'
import { isWindowOver, windowEnd } from './window.ts'

export interface LimitState {
  readonly subject: SpendLimits['subject']
  readonly period: SpendPeriod
  readonly amount: number
  spent: number
  endsAt: number
}

/** What of a limit is left, and what whoever is refused for it is told. */
export interface Room {
  readonly room: number
  readonly refusal: Refused
}

/** What a batch adds to one window of a limit. */
export interface Spent {
  readonly limitId: number
  readonly window: number
  by: number
}

/**
 * Limits of spending, as part of what a batch decides. What a call has set aside counts at once, and what it is charged
 * in the end takes the place of that, in the window in which it began. A window begins with the first call after the
 * one before: nobody has to be awake at its end.
 */
export class LimitDecider {
  readonly #limits: ReadonlyMap<number, LimitState>
  readonly #now: number
  /** Limits of which a window begins, and when that ends. */
  readonly turned = new Map<number, number>()
  readonly spent = new Map<string, Spent>()

  /** `limits` are those that calls of the batch are to be measured by; others may be counted in all the same. */
  constructor(limits: ReadonlyMap<number, LimitState>, now: number) {
    this.#limits = limits
    this.#now = now
  }

  /** The one that leaves the least; undefined where none of them is there any more. */
  tightest(ids: readonly number[]): Room | undefined {
    let found: Room | undefined
    for (const id of ids) {
      const limit = this.#turnedLimit(id)
      if (!limit) continue
      const room = Math.max(0, limit.amount - limit.spent)
      if (!found || room < found.room) found = { room, refusal: refusalOf(limit) }
    }
    return found
  }

  /** How a call counts that begins now. */
  enter(ids: readonly number[]): Counted[] {
    return ids.flatMap(limitId => {
      const limit = this.#turnedLimit(limitId)
      return limit ? [{ limitId, window: limit.endsAt, before: 0 }] : []
    })
  }

  /**
   * How a call counts that wants more. Where its window is over, what it wants beyond what it has counts in the one that
   * runs: a call that goes on for days is not without limit after the first.
   */
  reenter(counted: readonly Counted[], amount: number): readonly Counted[] {
    const isOver = (one: Counted): boolean => {
      const limit = this.#turnedLimit(one.limitId)
      return limit !== undefined && limit.endsAt !== one.window
    }
    if (!counted.some(isOver)) return counted
    return counted.map(one =>
      isOver(one)
        ? { ...one, window: this.#limits.get(one.limitId)?.endsAt ?? one.window, before: amount }
        : one,
    )
  }

  /** What a call comes to has changed. A window that is over does not care any more. */
  recount(counted: readonly Counted[], from: number, to: number): void {
    for (const one of counted) {
      const by = shareOf(one, to) - shareOf(one, from)
      if (by === 0) continue
      const { limitId, window } = one
      const key = `${limitId}:${window}`
      const sum = this.spent.get(key) ?? { limitId, window, by: 0 }
      sum.by += by
      this.spent.set(key, sum)
      const limit = this.#limits.get(limitId)
      if (limit?.endsAt === window) limit.spent += by
    }
  }

  #turnedLimit(id: number): LimitState | undefined {
    const limit = this.#limits.get(id)
    if (limit && isWindowOver(limit.period, limit.endsAt, this.#now)) {
      limit.endsAt = windowEnd(limit.period, this.#now)
      limit.spent = 0
      this.turned.set(id, limit.endsAt)
    }
    return limit
  }
}

function refusalOf({ subject, endsAt }: LimitState): Refused {
  return { ok: false, reason: subject === 'member' ? 'member-limit' : 'spend-limit', until: endsAt }
}
