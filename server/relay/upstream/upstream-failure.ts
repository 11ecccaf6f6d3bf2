import type { Problem } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'

/** Without an answer of any use: not reached, too slow, nothing in it, or not even tried for a lack of our own. */
export type Without = 'connect' | 'timeout' | 'empty' | 'lack'

/** One attempt at one channel failed. `problem` is in the upstream's words, already scrubbed. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly problem: Problem | undefined
  readonly without: Without | undefined
  /** The status that the upstream itself gave, whatever the operator wants it to be called. */
  readonly said: number | undefined

  constructor(failure: { problem?: Problem; without?: Without; said?: number }, cause?: unknown) {
    super(failure.problem?.message ?? `no answer: ${failure.without}`, { cause })
    this.problem = failure.problem
    this.without = failure.without
    this.said = failure.said ?? failure.problem?.status
  }

  /** In our words, for when the upstream had none. */
  get error(): AppError {
    if (this.without === 'timeout') return new AppError('relay.upstream-slow', {}, this)
    if (this.without === 'lack') return new AppError('relay.lack', {}, this)
    if (this.without === 'empty') return new AppError('relay.upstream-empty', {}, this)
    return new AppError('relay.upstream-failed', {}, this)
  }
}

const unreached: ReadonlySet<string> = new Set(['outbound.connect', 'outbound.resolve', 'outbound.lack'])

/** Refused in so many words, or never reached: nothing was begun there, so another channel may be asked. */
export function isSurelyRefused({ said, cause }: UpstreamFailure): boolean {
  if (said !== undefined) return (said < 500 && said !== 408) || said === 503
  return isUnreached(cause)
}

/** Nothing was sent: whatever had been asked for, it would have failed so. */
export function isUnreached(cause: unknown): boolean {
  return cause instanceof AppError && unreached.has(cause.code)
}

/** What the outgoing client threw, as a failure of the channel; what is not the channel's is thrown on. */
export function asUpstreamFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.code.startsWith('outbound.')) return error
  if (error.code === 'outbound.timeout') return new UpstreamFailure({ without: 'timeout' }, error)
  return new UpstreamFailure({ without: error.code === 'outbound.lack' ? 'lack' : 'connect' }, error)
}
