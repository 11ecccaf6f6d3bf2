import type { Caller } from '../callers/caller.ts'

/** The wallet must have this many times what a user has out on credit here: so many processes may give it at once. */
const TIMES = 16

/**
 * Calls that are let out without money being set aside for them. Nothing of such a call reaches the client before
 * it is paid. What is at stake is that the wallet is empty by then, and the operator pays the upstream for nothing;
 * that cannot come about while all such calls together are small beside the balance.
 */
export class Credit {
  readonly #underWay = new Map<number, number>()

  /** False when the balance is too small for it. */
  take({ userId, balance }: Caller, most: number): boolean {
    const underWay = (this.#underWay.get(userId) ?? 0) + most
    if (underWay * TIMES > balance) return false
    this.#underWay.set(userId, underWay)
    return true
  }

  /** Also takes the charge off the balance that is remembered, until that is read again; all of it after a refusal. */
  end(caller: Caller, most: number, charged: number | 'refused'): void {
    const underWay = (this.#underWay.get(caller.userId) ?? 0) - most
    if (underWay > 0) this.#underWay.set(caller.userId, underWay)
    else this.#underWay.delete(caller.userId)
    caller.balance = charged === 'refused' ? 0 : caller.balance - charged
  }
}
