import type { Order } from './order.ts'

/** With this many times the most that a call can cost, a balance is plenty. */
const AMPLE = 4

/**
 * Sets money aside for a call, by how much of it there is:
 * - very much: nothing is set aside for an answer that comes whole. That is handed over only when it is paid, so hold
 *   and settlement are one commit (`Credit`).
 * - plenty: the call goes out at once, and its hold is committed meanwhile.
 * - scarce, or limited to an amount within a while: the hold comes first, and this resolves with what was granted.
 */
export function setAside(
  order: Order,
  { most, least }: { readonly most: number; readonly least: number },
  onRefused: (error: unknown) => void,
  comesWhole = !order.stream,
): Promise<number> | undefined {
  const { bill } = order
  const { caller } = order.admitted
  const { credit, ledger } = order.parts
  // A fallback: what was held for the model before it is raised.
  if (bill.isHeld) return bill.hold(most, least)
  // What may be spent within a while is known to the books alone: nothing is sent that they would refuse.
  if (caller.spendLimits) return bill.hold(most, least)
  if (comesWhole && ledger.isReachable && credit.take(caller, most)) {
    bill.holdNothing(most, charged => credit.end(caller, most, charged))
    return undefined
  }
  if (caller.balance < most * AMPLE) return bill.hold(most, least)
  // A call that is out cannot be limited any more: all of it is held, or it is stopped. The balance that let it out
  // was read a while ago; where the hold is refused, it was wrong.
  bill.hold(most, most).catch(error => {
    caller.balance = 0
    onRefused(error)
  })
  return undefined
}
