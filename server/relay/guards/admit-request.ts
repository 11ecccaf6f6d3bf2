import { cost } from '../../ledger/price/cost.ts'
import { allowModel } from '../callers/authorise.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { Order } from '../order/order.ts'
import { answersText, type PlainCall } from '../plain/plain-call.ts'
import type { JsonBody } from '../request/read-body.ts'
import type { Asking } from './ask-rule.ts'
import { CallGuard } from './call-guard.ts'
import { type Reading, readBody, readPlain } from './read-request.ts'

/** A request that may go on, with what was found here masked, and the rules for what else comes. */
export interface Guarded<Body> {
  readonly guard: CallGuard
  readonly body: Body
}

/** Undefined where no rule is for such calls. Others are not asked yet: that waits for `askFirst`. */
export function guardChat(asking: Asking, stream: boolean, body: JsonBody): Guarded<JsonBody> | undefined {
  return guarded(asking, stream, () => readBody(body))
}

/** The same of a call that is not chat. One that leaves no trace leaves none of its refusal. */
export function guardPlain(asking: Asking, call: PlainCall): Guarded<PlainCall> | undefined {
  const stream = answersText(call.capability) && call.stream
  return guarded(asking, stream, () => readPlain(call), call.capability !== 'count-tokens')
}

/** The same of a long job, which is asked for and fetched later. */
export function guardTask<Body>(asking: Asking, reading: Reading<Body>): Guarded<Body> | undefined {
  return guarded(asking, false, () => reading)
}

function guarded<Body>(
  asking: Asking,
  stream: boolean,
  read: () => Reading<Body>,
  leavesTrace = true,
): Guarded<Body> | undefined {
  const guard = CallGuard.for(asking)
  if (!guard) return undefined
  const { parts, incoming, admitted, model } = asking
  try {
    allowModel(admitted.caller, model)
    if (stream) guard.refuseStreams()
    const reading = read()
    return { guard, body: reading.written(guard.rules.input ? guard.readRequest(reading.places()) : false) }
  } catch (error) {
    if (leavesTrace) noteRefusal(parts, incoming, admitted, { model, stream }, error, guard.tally.seen)
    throw error
  }
}

/**
 * Asks the others, once everything stands for the call that costs little to know: whoever has reached a limit, or has
 * no money, does not make them work.
 */
export async function askFirst<Body>(order: Order, guard: CallGuard, reading: Reading<Body>): Promise<Body> {
  const { caller } = order.admitted
  // What is remembered of a balance may be old: that there is none is for the books to say.
  if (caller.balance <= 0 && cost(order.price, ANY_USE) > 0) await order.bill.hold(1, 1)
  return reading.written(await guard.askRequest(reading.places()))
}

/** Costs something wherever anything does. */
const ANY_USE = { input: 1_000_000, output: 1_000_000, calls: 1 }
