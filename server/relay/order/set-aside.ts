import type { Order } from './order.ts'

/** Who has this many times the most that a call can cost does not wait for the hold before the call goes out. */
const AMPLE = 4

/**
 * Sets money aside for a call. With very much money nothing is, unless the answer is streamed: one that comes
 * whole is handed over only when it is paid, so hold and settlement are then one. While there is plenty the call
 * goes out at once and the hold is committed meanwhile. When it is scarce the hold comes first: then this answers
 * what it allows.
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
  // Another model was asked before, and what is held for that goes on.
  if (bill.isHeld) return bill.hold(most, least)
  if (comesWhole && ledger.isReachable && credit.take(caller, most)) {
    bill.holdNothing(most, charged => credit.end(caller, most, charged))
    return undefined
  }
  if (caller.balance < most * AMPLE) return bill.hold(most, least)
  // The balance was read a while ago. A call that is out already cannot be limited: all of it, or nothing.
  bill.hold(most, most).catch(error => {
    caller.balance = 0
    onRefused(error)
  })
  return undefined
}
