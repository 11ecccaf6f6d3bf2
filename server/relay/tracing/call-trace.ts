import { randomBytes } from 'node:crypto'
import { isUnsupported } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { Order } from '../order/order.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Channel } from '../routing/channel.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { Operation } from './operations.ts'
import type { TraceContext, TracePlace } from './trace-context.ts'

/** One try at a channel. Times are of `performance.now()`. */
export interface TracedTry {
  readonly spanId: string
  readonly channel: Channel
  /** As the upstream names it. */
  readonly model: string
  readonly beganAt: number
  /** The answer was whole, or its first part was here. */
  answeredAt?: number
  endedAt?: number
  /** As the upstream sent it. */
  status?: number
  error?: string
}

export interface Charge {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly usage: Usage
  readonly reasoning: number | undefined
  readonly quota: number
}

/** How an answer that had begun came to a bad end; in a span's `error.type`. */
export type Break = 'cut' | 'timeout' | 'problem' | 'client' | 'quota' | 'guard' | 'unpaid'

/** Where a call comes from. */
interface Origin extends TracePlace {
  readonly operation: Operation
  /** The address with names for what varies. */
  readonly route: string
}

/**
 * What is noted of one call for its spans while it runs: only what the order does not know by itself. It is told when
 * the answer is out and whatever goes on after that has come to its end.
 */
export class CallTrace implements Origin {
  readonly incoming: Incoming
  readonly traceId: string
  readonly parent: TraceContext | undefined
  readonly operation: Operation
  readonly route: string
  readonly spanId = newSpanId()
  readonly beganAt = performance.now()
  /** The same in milliseconds since 1970: a clock that is set meanwhile makes no span longer. */
  readonly beganOn = Date.now()
  readonly tries: TracedTry[] = []
  /** Who calls, once that is known. */
  admitted: Admitted | undefined
  order: Order | undefined
  /** What a call was for that was refused before it became an order. */
  refused: { readonly model: string; readonly stream: boolean } | undefined
  charge: Charge | undefined
  broke: Break | undefined
  /** Undefined when nobody was there to be answered. */
  status: number | undefined
  /** Our own word for why it failed. */
  errorCode: string | undefined
  /** Whether something of the answer comes after its head. */
  flows = false
  endedAt = 0
  #open = 1
  readonly #tell: (trace: CallTrace) => void

  constructor(incoming: Incoming, origin: Origin, tell: (trace: CallTrace) => void) {
    this.incoming = incoming
    this.traceId = origin.traceId
    this.parent = origin.parent
    this.operation = origin.operation
    this.route = origin.route
    this.#tell = tell
  }

  noteTry(channel: Channel, model: string): void {
    this.tries.push({ spanId: newSpanId(), channel, model, beganAt: performance.now() })
  }

  noteUpstreamStatus(status: number): void {
    const last = this.tries.at(-1)
    if (last) last.status = status
  }

  noteAnswer(): void {
    const last = this.tries.at(-1)
    if (last) last.answeredAt = performance.now()
  }

  noteFailure(error: unknown): void {
    // Nothing was sent: this upstream's dialect cannot say it.
    if (isUnsupported(error)) {
      this.tries.pop()
      return
    }
    const last = this.tries.at(-1)
    if (!last) return
    last.endedAt = performance.now()
    last.error = kindOf(error)
  }

  /** An answer that flows has come from its upstream, as far as it comes. */
  noteEnd(broke?: Break): void {
    this.broke ??= broke
    const last = this.tries.at(-1)
    if (!last) return
    last.endedAt ??= performance.now()
    if (broke && broke !== 'unpaid') last.error ??= broke
  }

  /** The answer goes on after its head: whoever hands it on says when it is over. */
  keepOpen(): void {
    this.flows = true
    this.#open++
  }

  /** The head of the answer is out, or there is nobody to take it. */
  noteHead(status: number, error?: unknown): void {
    if (error instanceof AppError) this.errorCode = error.code
    if (error instanceof ClientGone) this.broke ??= 'client'
    else this.status = status
    this.end()
  }

  /** Once for the head of the answer, and once for what goes on after it. */
  end(): void {
    if (--this.#open > 0) return
    this.endedAt = performance.now()
    this.#tell(this)
  }
}

/** How an attempt failed, in few words: never the upstream's own. */
function kindOf(error: unknown): string {
  if (error instanceof UpstreamFailure) return error.without ?? String(error.problem?.status ?? '_OTHER')
  if (error instanceof ClientGone) return 'client'
  return error instanceof AppError ? error.code : '_OTHER'
}

export function newSpanId(): string {
  for (;;) {
    const id = randomBytes(8).toString('hex')
    if (id !== '0000000000000000') return id
  }
}
