import type { Order } from '../order/order.ts'
import { composePass, rulesOf } from '../pass/compose-pass.ts'
import type { PassBody } from '../pass/pass-body.ts'
import { readPassedRefusal } from '../pass/passed-refusal.ts'
import { pairsOf } from '../pass/query.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamCall } from '../upstream/upstream-call.ts'
import { asUpstreamFailure } from '../upstream/upstream-failure.ts'

const noBody: PassBody = {
  type: '',
  coding: undefined,
  held: undefined,
  length: 0,
  isWhole: true,
  isAwaited: false,
  send: () => undefined,
}

/**
 * Asks any HTTP API whether it is there, by a GET of the path that the operator names, else of the base URL. Most have
 * nothing to say at the latter: that something was not found, or is not allowed, says that somebody is there.
 */
export async function askService(
  order: Order,
  attempt: Attempt,
  onOpen: (upstream: UpstreamCall) => void,
): Promise<void> {
  const [path = '', query = ''] = rulesOf(attempt.channel).testPath.split('?', 2)
  const asked = { model: order.model, method: 'GET', path, query: pairsOf(query), body: noBody } as const
  const composed = composePass(order.incoming.request, asked, attempt)
  const upstream = new UpstreamCall(order, order.parts.settings.get('UpstreamAnswerSeconds') * 1000)
  onOpen(upstream)
  try {
    const response = await upstream.send(composed, attempt, { method: 'GET' })
    if (isBad(response.status)) throw await readPassedRefusal(response, composed, attempt)
  } catch (error) {
    const reason = upstream.stoppedFor ?? error
    upstream.stop(reason)
    throw asUpstreamFailure(reason)
  }
}

/** It does not work, or not with this key, or not at the moment. */
function isBad(status: number): boolean {
  return status >= 500 || status === 401 || status === 402 || status === 429
}
