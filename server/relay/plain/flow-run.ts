import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { counter } from '../../metrics.ts'
import { ClientGone } from '../client-gone.ts'
import type { Piece } from '../conveyor.ts'
import type { Live } from '../live-requests.ts'
import type { Order } from '../order.ts'
import { asProblem } from '../problems.ts'
import { scrubProblem } from '../scrub.ts'
import { UpstreamFailure } from '../upstream-failure.ts'
import type { FlowAnswer } from './ask-plain.ts'
import { chargePlain, type Ending } from './charge-plain.ts'
import type { PlainCall } from './plain-call.ts'

/** Bun's own sink: bytes go to the socket without another queue in between. */
interface Sink {
  write(piece: Piece): unknown
  flush(wait?: boolean): unknown
  close(error?: Error): unknown
}

/** An upstream that has said everything may take this long to hang up. */
const CLOSING_MS = 1000
const KEEP_ALIVE_MS = 15_000
/** Written without waiting for the client to take it. */
const MOST_UNFLUSHED = 64 * 1024

const cuts = counter(
  'tollgate_relay_flows_cut_total',
  'Byte and event streams that did not end well, by reason.',
)

/**
 * One answer of bytes or events on its way to the client: forwards at the client's pace, keeps the clocks, and
 * closes the bill exactly once, whoever ends it. The last piece is sent when the charge is on disk.
 */
export class FlowRun implements Live {
  readonly #order: Order
  readonly #call: PlainCall
  readonly #answer: FlowAnswer
  readonly #idleMs: number
  #sink: Sink | undefined
  #started = false
  /** Nobody may take the end of this for a good one. */
  #broken: Error | undefined
  /** Waiting for the client, and not for the upstream. */
  #draining = false
  readonly #gone = Promise.withResolvers<never>()
  #heardAt = performance.now()
  #wroteAt = performance.now()
  #closingAt: number | undefined
  #unflushed = 0

  constructor(order: Order, call: PlainCall, answer: FlowAnswer) {
    this.#order = order
    this.#call = call
    this.#answer = answer
    this.#idleMs = order.parts.settings.get('UpstreamIdleSeconds') * 1000
    this.#gone.promise.catch(() => {})
    order.parts.live.add(this)
  }

  response(): Response {
    // A client may be gone before its stream is asked for: then nobody pulls, and the bill is closed from here.
    const { signal } = this.#order.incoming.request
    signal.addEventListener('abort', () => this.#leave(), { once: true })
    if (signal.aborted) this.#leave()
    const source = {
      type: 'direct',
      pull: (sink: Sink) => this.#run(sink),
      cancel: () => this.#leave(),
    } as unknown as UnderlyingDefaultSource<Uint8Array>
    return new Response(new ReadableStream(source), {
      headers: { 'content-type': this.#answer.type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
    })
  }

  tick(at: number): void {
    const { upstream, carrier } = this.#answer
    const isIdle = at - this.#heardAt > this.#idleMs
    if (this.#draining) {
      if (isIdle) this.#leave()
      return
    }
    if (this.#closingAt !== undefined) {
      if (at - this.#closingAt > CLOSING_MS) upstream.stop(closedByUs)
    } else if (isIdle) upstream.stop(new AppError('outbound.timeout'))
    if (carrier.keepAlive === undefined || this.#closingAt !== undefined) return
    if (at - this.#wroteAt > KEEP_ALIVE_MS) this.#write(carrier.keepAlive)
  }

  #leave(): void {
    const gone = new ClientGone()
    this.#answer.upstream.stop(gone)
    this.#gone.reject(gone)
    if (!this.#started)
      this.#run(undefined).catch(error => log.error('a stream could not be closed', { error }))
  }

  async #run(sink: Sink | undefined): Promise<void> {
    if (this.#started) return
    this.#started = true
    this.#sink = sink
    const { first, reader, carrier, ended } = this.#answer
    this.#order.noteFirstByte()
    try {
      // Taken out one by one: they may be large.
      for (let piece = first.shift(); piece !== undefined; piece = first.shift()) await this.#forward(piece)
      let done = ended
      while (!done && !carrier.problem) {
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
      this.#close()
    }
  }

  async #conclude(isWhole: boolean): Promise<void> {
    const { carrier } = this.#answer
    const { channel } = this.#order
    const { problem } = carrier
    if (problem && channel) {
      const said = scrubProblem(problem, channel, channel.baseUrl ?? '')
      return this.#settlePart('upstream', 'problem', new UpstreamFailure({ problem: said }))
    }
    if (!isWhole) return this.#settlePart('upstream', 'cut', new AppError('relay.upstream-cut'))
    const usage = await chargePlain(this.#order, this.#call, carrier.seen)
    try {
      await this.#order.settleUsage(usage ?? {})
    } catch (error) {
      // The charge is on no disk: then the client must not hold a finished answer.
      return this.#tell(error)
    }
    this.#write(carrier.rest())
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
  async #settlePart(ending: Ending, reason: string, error: unknown): Promise<void> {
    const { parts, channel, model, incoming } = this.#order
    this.#answer.upstream.stop(error)
    cuts.increment({ reason })
    if (channel && ending === 'upstream')
      parts.health.failed(channel, model, { kind: reason === 'timeout' ? 'timeout' : 'server' })
    try {
      const usage = await chargePlain(this.#order, this.#call, this.#answer.carrier.seen, ending)
      const { status, message } = asProblem(error, incoming)
      if (usage) await this.#order.settleUsage(usage)
      else await this.#order.cancel(ending === 'client' ? 499 : status, message)
    } catch (failure) {
      log.error('a broken stream could not be settled', { requestId: incoming.requestId, error: failure })
    }
    if (ending !== 'client') this.#tell(error)
  }

  #tell(error: unknown): void {
    const words = this.#answer.carrier.fail(asProblem(error, this.#order.incoming))
    if (words === undefined) this.#broken = new Error('the answer was cut')
    else this.#write(words)
  }

  /** Waits for a slow client: so it slows its upstream, and nobody else. */
  async #forward(piece: Piece): Promise<void> {
    this.#write(piece)
    if (this.#unflushed <= MOST_UNFLUSHED || !this.#sink) return
    this.#unflushed = 0
    this.#draining = true
    try {
      await Promise.race([this.#sink.flush(true), this.#gone.promise])
    } finally {
      this.#draining = false
      this.#heardAt = performance.now()
    }
  }

  #write(piece: Piece): void {
    if (!this.#sink || piece.length === 0) return
    this.#wroteAt = performance.now()
    try {
      this.#sink.write(piece)
      this.#sink.flush()
      this.#unflushed += piece.length
    } catch {
      // The client has left; its signal ends the rest.
    }
  }

  #close(): void {
    try {
      if (this.#broken) this.#sink?.close(this.#broken)
      else this.#sink?.close()
    } catch {
      // It was closed from the other side.
    }
  }
}

/** Everything was said; the upstream only did not hang up. */
const closedByUs = new Error('the answer was complete')
