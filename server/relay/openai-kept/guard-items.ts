import { CallGuard } from '../guards/call-guard.ts'
import { readBody } from '../guards/read-request.ts'
import type { Order } from '../order/order.ts'
import type { JsonBody } from '../request/read-body.ts'

/**
 * What the rules for requests leave of what is put into a conversation: later calls only name it. For which model that
 * will be nobody knows, so the rules for all that the caller may ask there are obeyed.
 */
export async function guardItems(order: Order, items: JsonBody, models: Iterable<string>): Promise<JsonBody> {
  const { parts, incoming, admitted } = order
  if (parts.guards.areIdle) return items
  const guards = new Map<string, CallGuard>()
  for (const model of models) {
    const guard = CallGuard.for({ parts, incoming, admitted, model })
    if (guard?.rules.input && !guards.has(guard.rules.mark)) guards.set(guard.rules.mark, guard)
  }
  let read = items
  for (const guard of guards.values()) {
    // So that the row of a refused one tells what was found.
    order.guard = guard
    const reading = readBody(read)
    const isFound = guard.readRequest(reading.places())
    const isAsked = guard.asksFirst && (await guard.askRequest(reading.places()))
    read = reading.written(isFound || isAsked)
  }
  return read
}
