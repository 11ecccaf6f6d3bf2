import type { Problem } from '../../dialects/spec.ts'
import type { Order } from '../order/order.ts'
import { countAttempt } from '../relay-figures.ts'
import { judgeFailure } from '../routing/judge-failure.ts'

/** How an answer that had begun well came to its end. */
export interface BrokenOff {
  readonly reason: 'cut' | 'timeout' | 'problem'
  /** What the upstream said of it. */
  readonly problem: Problem | undefined
}

/** What it means for the channel: an error that the caller has brought about must not take it from the others. */
export function blameChannel(order: Order, { reason, problem }: BrokenOff): void {
  const { channel, key, parts, model, own } = order
  if (!channel) return
  const isProblem = reason === 'problem' && problem
  const { cool } = isProblem
    ? judgeFailure(channel.type, problem)
    : { cool: reason === 'timeout' ? ('timeout' as const) : ('server' as const) }
  if (!cool) return
  countAttempt(channel.id, 'cut')
  const said = isProblem ? { status: problem.status, retryAfter: problem.retryAfter } : {}
  const failure = { kind: cool, ...said }
  if (own) return void own.failed(parts.health, channel, failure, key)
  order.failChannel()
  parts.health.failed(channel, model, failure, key)
}
