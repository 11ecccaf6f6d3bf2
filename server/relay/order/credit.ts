import type { Caller } from '../callers/caller.ts'

/** How many times what a user has under way at once must be in the wallet: so many processes may do the same. */
const TIMES = 16

/**
 * Calls that are let out without money being set aside for them. Nothing of such a call reaches the client before
 * it is paid, so what is at stake is what upstreams ask for calls that nobody pays: that cannot come about while
 * all of them together are small beside the balance.
 */
export class Credit {
  readonly #underWay = new Map<number, number>()

  /** False when the balance is not so large. */
  take({ userId, balance }: Caller, most: number): boolean {
    const underWay = (this.#underWay.get(userId) ?? 0) + most
    if (underWay * TIMES > balance) return false
    this.#underWay.set(userId, underWay)
    return true
  }

  /** The balance that is remembered is less by what was charged, until it is read again; none when it was refused. */
  end(caller: Caller, most: number, charged: number | 'refused'): void {
    const underWay = (this.#underWay.get(caller.userId) ?? 0) - most
    if (underWay > 0) this.#underWay.set(caller.userId, underWay)
    else this.#underWay.delete(caller.userId)
    caller.balance = charged === 'refused' ? 0 : caller.balance - charged
  }
}
