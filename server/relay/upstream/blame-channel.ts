import type { Problem } from '../../dialects/spec.ts'
import type { Order } from '../order/order.ts'
import { judgeFailure } from '../routing/judge-failure.ts'

/** How an answer that had begun well came to its end. */
export interface BrokenOff {
  readonly reason: 'cut' | 'timeout' | 'problem'
  /** What the upstream said of it. */
  readonly problem: Problem | undefined
}

/** What it means for the channel: an error that the caller has brought about must not take it from the others. */
export function blameChannel({ channel, parts, model }: Order, { reason, problem }: BrokenOff): void {
  if (!channel) return
  if (reason !== 'problem' || !problem)
    return parts.health.failed(channel, model, { kind: reason === 'timeout' ? 'timeout' : 'server' })
  const { cool } = judgeFailure(channel.type, problem)
  const { status, retryAfter } = problem
  if (cool) parts.health.failed(channel, model, { kind: cool, status, retryAfter })
}
