import { AppError } from '../../errors.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import type { Live } from '../live-requests.ts'
import type { Order } from '../order/order.ts'
import { asProblem } from '../problems.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { ClientSink, streamTo } from '../stream/client-sink.ts'
import type { Piece } from '../stream/conveyor.ts'
import { type BrokenOff, blameChannel } from '../upstream/blame-channel.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { FlowAnswer } from './ask-plain.ts'
import type { Ending } from './charge-plain.ts'
import type { Seen } from './seen.ts'

/** An upstream that has said everything may take this long to hang up. */
const CLOSING_MS = 1000
const CHECKPOINT_MS = 2000
const KEEP_ALIVE_MS = 15_000

const cuts = counter(
  'tollgate_relay_flows_cut_total',
  'Byte and event streams that did not end well, by reason.',
)

/** What an answer costs, by what has been seen of it. */
export interface Charging {
  /** What is certainly to be paid for what has come so far, where that is known before the end. */
  certain(seen: Seen): number
  /** Undefined: nothing of use was made. */
  usage(seen: Seen, ending: Ending): Promise<Usage | undefined>
}

/**
 * One answer of bytes or events on its way to the client: forwards at the client's pace, keeps the clocks, and
 * closes the bill exactly once, whoever ends it. The last piece is sent when the charge is on disk.
 */
export class FlowRun implements Live {
  readonly #order: Order
  readonly #charging: Charging
  readonly #answer: FlowAnswer
  readonly #idleMs: number
  #sink = new ClientSink(undefined)
  #started = false
  /** Nobody may take the end of this for a good one. */
  #broken: Error | undefined
  #heardAt = performance.now()
  #closingAt: number | undefined
  #checkedAt = performance.now()
  #checkpointed = 0

  constructor(order: Order, charging: Charging, answer: FlowAnswer) {
    this.#order = order
    this.#charging = charging
    this.#answer = answer
    this.#idleMs = order.parts.settings.get('UpstreamIdleSeconds') * 1000
    order.parts.live.add(this)
  }

  response(): Response {
    return streamTo(
      this.#order.incoming,
      this.#answer.type,
      sink => this.#run(sink),
      () => this.#leave(),
      this.#answer.head,
    )
  }

  tick(at: number): void {
    this.#order.incoming.keepOpen()
    if (at - this.#checkedAt >= CHECKPOINT_MS) this.#checkpoint(at)
    const { upstream, carrier } = this.#answer
    const isIdle = at - this.#heardAt > this.#idleMs
    if (this.#sink.isDraining) {
      if (isIdle) this.#leave()
      return
    }
    if (this.#closingAt !== undefined) {
      if (at - this.#closingAt > CLOSING_MS) upstream.stop(closedByUs)
    } else if (isIdle) upstream.stop(new AppError('outbound.timeout'))
    if (carrier.keepAlive === undefined || this.#closingAt !== undefined) return
    if (at - this.#sink.wroteAt > KEEP_ALIVE_MS) this.#sink.write(carrier.keepAlive)
  }

  /** Says what is certainly used, in case this process dies. */
  #checkpoint(at: number): void {
    this.#checkedAt = at
    const charge = this.#charging.certain(this.#answer.carrier.seen)
    if (charge <= this.#checkpointed) return
    this.#checkpointed = charge
    this.#order.bill.checkpoint(charge).catch(error => log.warn('a checkpoint failed', { error }))
  }

  /** A client may be gone before its stream is asked for: then nobody pulls, and the bill is closed from here. */
  #leave(): void {
    this.#answer.upstream.stop(new ClientGone())
    this.#sink.leave()
    if (!this.#started)
      this.#run(this.#sink).catch(error => log.error('a stream could not be closed', { error }))
  }

  async #run(sink: ClientSink): Promise<void> {
    if (this.#started) return
    this.#started = true
    this.#sink = sink
    const { first, reader, carrier, ended } = this.#answer
    this.#order.noteFirstByte()
    try {
      // Taken out one by one: they may be large.
      for (let piece = first.shift(); piece !== undefined; piece = first.shift()) await this.#forward(piece)
      let done = ended
      while (!done && !carrier.problem && !carrier.refusal) {
        const next = await reader.read()
        done = next.done
        if (next.done) break
        this.#heardAt = performance.now()
        const piece = carrier.take(next.value)
        if (piece !== undefined) await this.#forward(piece)
        if (carrier.closing) this.#closingAt ??= this.#heardAt
      }
      await this.#conclude(ended || carrier.end())
    } catch (error) {
      await this.#stopped(this.#answer.upstream.stoppedFor ?? error)
    } finally {
      this.#order.parts.live.remove(this)
      void this.#order.leave(this.#order.estimatedTokens)
      sink.close(this.#broken)
      this.#order.incoming.trace?.end()
      this.#order.incoming.transcript?.end()
    }
  }

  async #conclude(isWhole: boolean): Promise<void> {
    const { carrier } = this.#answer
    const { channel } = this.#order
    const { problem, refusal } = carrier
    if (refusal) return this.#settlePart('upstream', 'guard', refusal)
    if (problem && channel) {
      const said = scrubProblem(problem, channel, channel.baseUrl ?? '')
      return this.#settlePart('upstream', 'problem', new UpstreamFailure({ problem: said }))
    }
    if (!isWhole) return this.#settlePart('upstream', 'cut', new AppError('relay.upstream-cut'))
    this.#order.noteEnd()
    const usage = await this.#charging.usage(carrier.seen, 'whole')
    try {
      await this.#order.settleUsage(usage ?? {})
    } catch (error) {
      // The charge is on no disk: then the client must not hold a finished answer.
      this.#order.noteBreak('unpaid')
      return this.#tell(error)
    }
    this.#sink.write(carrier.rest())
  }

  /** Reading failed: because we closed the connection, or because the upstream did. */
  async #stopped(reason: unknown): Promise<void> {
    if (reason === closedByUs) return this.#conclude(this.#answer.carrier.end())
    if (reason instanceof ClientGone) return this.#settlePart('client', 'client', reason)
    const isTimeout = reason instanceof AppError && reason.code === 'outbound.timeout'
    const error = new AppError(isTimeout ? 'relay.upstream-slow' : 'relay.upstream-cut', {}, reason)
    return this.#settlePart('upstream', isTimeout ? 'timeout' : 'cut', error)
  }

  /** The answer ends here and is not whole: what was produced is paid, and the client is told. */
  async #settlePart(
    ending: Ending,
    reason: BrokenOff['reason'] | 'client' | 'guard',
    error: unknown,
  ): Promise<void> {
    const { incoming } = this.#order
    const { upstream, carrier } = this.#answer
    upstream.stop(error)
    cuts.increment({ reason })
    const { status, message } = asProblem(error, incoming)
    this.#order.noteBreak(reason, message)
    if (reason !== 'client' && reason !== 'guard')
      blameChannel(this.#order, { reason, problem: carrier.problem })
    try {
      const usage = await this.#charging.usage(carrier.seen, ending)
      if (usage) await this.#order.settleUsage(usage)
      else await this.#order.cancel(status, message)
    } catch (failure) {
      log.error('a broken stream could not be settled', { requestId: incoming.requestId, error: failure })
    }
    if (ending !== 'client') this.#tell(error)
  }

  #tell(error: unknown): void {
    this.#order.incoming.transcript?.fail()
    const words = this.#answer.carrier.fail(asProblem(error, this.#order.incoming))
    if (words === undefined) this.#broken = new Error('the answer was cut')
    else this.#sink.write(words)
  }

  async #forward(piece: Piece): Promise<void> {
    this.#sink.write(piece)
    // Nothing but this piece looks at what it is all of.
    if (piece instanceof Uint8Array) this.#sink.leaveBehind(piece, true)
    if (!this.#sink.isFull) return
    await this.#sink.drain()
    this.#heardAt = performance.now()
  }
}

/** Everything was said; the upstream only did not hang up. */
const closedByUs = new Error('the answer was complete')
