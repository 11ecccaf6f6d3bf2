import { log } from '../../log.ts'
import type { Order } from '../../relay/order/order.ts'
import { asProblem } from '../../relay/problems.ts'
import { isSurelyRefused, UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'

/** Something that a vendor is to keep for a caller, whose price is held and whose row is written. */
interface Wanted {
  /** For the log. */
  readonly what: string
  readonly id: string
  /** Its row, as if nothing had been wanted. */
  forget(): Promise<void>
  /** Whether a failure says that the vendor has not done it. */
  readonly isRefused?: (error: unknown) => boolean
}

/** Asks a vendor: until it has surely refused, it may have done what it was asked for. */
type Asking = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>

/**
 * Has a vendor keep something. What was surely refused costs nothing. Where nobody knows whether the vendor has it, the
 * row stays: whoever looks after it finds out.
 */
export async function askToKeep<Kept>(
  order: Order,
  { what, id, forget, isRefused = surelyRefused }: Wanted,
  work: (asking: Asking) => Promise<Kept>,
): Promise<Kept> {
  let mayBe = false
  const asking: Asking = async ask => {
    mayBe = true
    try {
      return await ask()
    } catch (error) {
      mayBe = !isRefused(error)
      throw error
    }
  }
  try {
    return await work(asking)
  } catch (error) {
    if (mayBe) {
      log.warn('it is not known whether an upstream has done what it was asked for; it will be asked', {
        [what]: id,
        error,
      })
      await order.leave(0)
    } else {
      await cancelOrder(order, error)
      await forget()
    }
    throw error
  }
}

export function surelyRefused(error: unknown): boolean {
  return error instanceof UpstreamFailure && isSurelyRefused(error)
}

export async function cancelOrder(order: Order, error: unknown): Promise<void> {
  const { status, message } = asProblem(error, order.incoming)
  await order.cancel(status, message)
}
