import { enterLimits, hasLimits } from '../../relay/limits/enter-limits.ts'
import type { Order } from '../../relay/order/order.ts'
import { Sending } from '../batches/sending.ts'
import { cancelOrder } from './ask-to-keep.ts'

/** A file that goes on while it comes in. */
export async function takeUpload<Answer>(
  request: Request,
  largest: number,
  pass: (sending: Sending) => Promise<Answer>,
): Promise<Answer> {
  const sending = new Sending(request, largest)
  try {
    return await pass(sending)
  } catch (error) {
    // Who is still sending does not listen.
    await sending.drain()
    throw error
  }
}

/** What costs nothing is a call within limits all the same, and a refusal leaves its row in the log. */
export async function doFreely<Result>(order: Order, work: () => Promise<Result>): Promise<Result> {
  if (hasLimits(order.parts, order.admitted)) await enterLimits(order)
  try {
    const result = await work()
    await order.leave(0)
    return result
  } catch (error) {
    await cancelOrder(order, error)
    throw error
  }
}
