import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { counter } from '../metrics.ts'
import { type Outbound, readText } from '../outbound/client.ts'
import { readAnswer } from './read-answer.ts'
import type { Attributes, Span } from './span.ts'

/** Where spans go, and who sends them. */
export interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Attributes
  readonly scope: { readonly name: string; readonly version: string }
}

const BATCH = 512
const EVERY_MS = 1000
/** What waits while the collector is slow or away; what comes on top is dropped. */
const MOST_WAITING = 8192
const MOST_BYTES = 16 * 1024 * 1024
const ANSWER_WITHIN_MS = 10_000
const LARGEST_ANSWER = 64 * 1024
/** A batch that nobody takes for so long makes room. */
const KEEP_TRYING_MS = 60_000
const SHORTEST_PAUSE_MS = 500
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const WARN_EVERY_MS = 60_000

const pack = promisify(gzip)

type Loss = 'queue' | 'unreachable' | 'refused' | 'rejected'

/** What became of one request: taken, not wanted, or to be sent again after a while. */
type Outcome = 'taken' | 'refused' | { readonly again: number | undefined }

/**
 * Hands spans to a collector by OTLP over HTTP. Nobody waits for it: whatever the collector does, adding a span costs
 * the same, and what cannot be sent or kept is counted and dropped.
 */
export class SpanExporter {
  readonly #outbound: Outbound
  readonly #collector: Collector
  readonly #before: string
  readonly #waiting: string[] = []
  #waitingBytes = 0
  #sending: Promise<void> | undefined
  /** In a row, without one that was taken. */
  #failures = 0
  readonly #timer: NodeJS.Timeout
  /** Set when the process ends: by then nothing is sent any more. */
  #endsAt: number | undefined
  readonly #over = new AbortController()
  #endPause: (() => void) | undefined
  #lost = 0
  #warnedAt = Number.NEGATIVE_INFINITY
  readonly #exported = counter('tollgate_otel_spans_exported_total', 'Spans that the collector has taken.')
  readonly #dropped = counter('tollgate_otel_spans_dropped_total', 'Spans that were dropped, by reason.')

  constructor(outbound: Outbound, collector: Collector) {
    this.#outbound = outbound
    this.#collector = collector
    const resource = JSON.stringify({ attributes: collector.resource.list })
    const scope = JSON.stringify(collector.scope)
    this.#before = `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[`
    this.#timer = setInterval(() => this.#send(), EVERY_MS)
    this.#timer.unref()
    this.#exported.increment({}, 0)
    for (const reason of ['queue', 'unreachable', 'refused', 'rejected'] satisfies Loss[])
      this.#dropped.increment({ reason }, 0)
  }

  add(spans: readonly Span[]): void {
    const texts = spans.map(span => JSON.stringify(span))
    const bytes = lengthOf(texts)
    if (this.#waiting.length + texts.length > MOST_WAITING || this.#waitingBytes + bytes > MOST_BYTES)
      return this.#lose('queue', texts.length)
    this.#waiting.push(...texts)
    this.#waitingBytes += bytes
    if (this.#waiting.length >= BATCH) this.#send()
  }

  /** Sends what there is. Resolves when it is out, when the collector does not take it, or after so long. */
  async close(withinMs: number): Promise<void> {
    clearInterval(this.#timer)
    this.#endsAt = performance.now() + withinMs
    const timer = setTimeout(() => this.#over.abort(new AppError('outbound.timeout')), withinMs)
    this.#endPause?.()
    await this.#sending
    this.#send()
    await this.#sending
    clearTimeout(timer)
    if (this.#lost > 0) this.#warn({ error: 'the process ends' })
  }

  #send(): void {
    if (this.#waiting.length === 0) return
    this.#sending ??= this.#sendBatches()
      .catch(error => log.error('spans could not be sent', { error }))
      .finally(() => {
        this.#sending = undefined
      })
  }

  /** One after the other; less than a batch waits for the next second, unless there is none. */
  async #sendBatches(): Promise<void> {
    do {
      const batch = this.#waiting.splice(0, BATCH)
      this.#waitingBytes -= lengthOf(batch)
      await this.#deliver(batch)
    } while (this.#waiting.length >= (this.#endsAt === undefined ? BATCH : 1))
  }

  async #deliver(batch: readonly string[]): Promise<void> {
    const body = await pack(`${this.#before}${batch.join(',')}]}]}]}`, { level: 1 })
    const giveUpAt = performance.now() + KEEP_TRYING_MS
    for (;;) {
      const outcome = await this.#post(body, batch.length)
      if (outcome === 'taken') {
        this.#failures = 0
        return
      }
      if (outcome === 'refused') return this.#lose('refused', batch.length)
      const pause = Math.max(outcome.again ?? pauseAfter(this.#failures), SHORTEST_PAUSE_MS)
      this.#failures++
      // Who ends does not wait for one who is away.
      if (this.#endsAt === undefined && performance.now() + pause < giveUpAt) await this.#pause(pause)
      else return this.#giveUp(batch.length)
    }
  }

  #giveUp(spans: number): void {
    const others = this.#endsAt === undefined ? 0 : this.#waiting.splice(0).length
    if (others > 0) this.#waitingBytes = 0
    this.#lose('unreachable', spans + others)
  }

  async #post(body: Uint8Array, spans: number): Promise<Outcome> {
    const { url, headers } = this.#collector
    try {
      const response = await this.#outbound.fetch(url, {
        policy: 'operator',
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body,
        signal: this.#over.signal,
        timeoutMs: ANSWER_WITHIN_MS,
        wholeMs: ANSWER_WITHIN_MS,
      })
      const text = await readText(response, LARGEST_ANSWER).catch(() => '')
      return this.#judge(readAnswer(response, text), spans)
    } catch (error) {
      this.#warn({ error: error instanceof AppError ? error.message : error })
      return { again: undefined }
    }
  }

  #judge(answer: ReturnType<typeof readAnswer>, spans: number): Outcome {
    const { status, said } = answer
    if (answer.kind === 'taken') {
      const rejected = Math.min(answer.rejected, spans)
      this.#exported.increment({}, spans - rejected)
      if (rejected > 0) this.#lose('rejected', rejected)
      if (rejected > 0 || said !== '') this.#warn({ status, said })
      return 'taken'
    }
    this.#warn({ status, said })
    return answer.kind === 'refused' ? 'refused' : { again: answer.afterMs }
  }

  #lose(reason: Loss, spans: number): void {
    this.#dropped.increment({ reason }, spans)
    this.#lost += spans
    if (reason === 'queue') this.#warn({ error: 'more spans wait than are kept' })
  }

  /** Once in a while: a collector may be away for days. */
  #warn(why: { status?: number; said?: string; error?: unknown }): void {
    const at = performance.now()
    if (at - this.#warnedAt < WARN_EVERY_MS && this.#endsAt === undefined) return
    this.#warnedAt = at
    log.warn('the collector of spans did not take all of them', { ...why, dropped: this.#lost })
    this.#lost = 0
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endPause = resolve
    const timer = setTimeout(resolve, ms)
    timer.unref()
    await promise
    clearTimeout(timer)
    this.#endPause = undefined
  }
}

/** Twice as long each time, and never quite the same: workers that failed together do not come back together. */
function pauseAfter(failures: number): number {
  const most = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
  return most * (0.5 + Math.random() / 2)
}

function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}
