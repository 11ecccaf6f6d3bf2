import type { DialectName } from '../../dialects/spec.ts'
import { hasSpareFiles } from '../../store/spare-files.ts'
import type { CountReply, CountRequest } from './count-protocol.ts'
import { FrameCount } from './frame-count.ts'
import { estimateTokens, StreamCount } from './stream-count.ts'

/** What may wait for the thread. Beyond that texts are estimated: memory stays bounded, whatever the load. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024
/** A thread that died before it had answered once would die again. */
const RESTART_AFTER_MS = 10_000

interface Waiting {
  readonly bytes: number
  readonly settle: (tokens: number | undefined) => void
}

/**
 * Counts tokens where an upstream does not say how many there were. The work is done on a thread that starts
 * with the first count. Nothing here rejects: what cannot be counted is estimated from its bytes.
 */
export class TokenCounter {
  readonly #startThread: () => Worker
  readonly #waiting = new Map<number, Waiting>()
  #waitingBytes = 0
  #thread: Worker | undefined
  #hasAnswered = false
  #restartAt = 0
  #nextId = 1
  #nextStream = 1

  constructor(startThread: () => Worker = startCountThread) {
    this.#startThread = startThread
  }

  countText(text: string): Promise<number> {
    return this.countTexts([text])
  }

  /** The sum; no token reaches from one text into the next. */
  async countTexts(texts: readonly string[]): Promise<number> {
    let bytes = 0
    let estimate = 0
    for (const text of texts) {
      const size = Buffer.byteLength(text)
      bytes += size
      estimate += estimateTokens(size)
    }
    if (bytes === 0) return 0
    const counted = await this.#ask(bytes, id => this.#post({ id, kind: 'texts', texts }))
    return counted ?? estimate
  }

  /** For the text of an answer as it passes. End it by `total` or `discard`. */
  countStream(): StreamCount {
    return new StreamCount(text => this.countText(text))
  }

  /** For the raw bytes of a stream as they pass. End it by `total` or `discard`. */
  countFrames(dialect: DialectName, choices = 1): FrameCount {
    const stream = this.#nextStream++
    return new FrameCount({
      count: (bytes, first, last) =>
        this.#ask(bytes.byteLength, id =>
          this.#post({ id, kind: 'frames', stream, dialect, choices, bytes, first, last }, [bytes.buffer]),
        ),
      forget: () => this.#thread?.postMessage({ id: 0, kind: 'forget', stream } satisfies CountRequest),
    })
  }

  /** Ends the thread; the next count starts another. */
  stop(): void {
    this.#lose(this.#thread)
    this.#restartAt = 0
  }

  #ask(bytes: number, send: (id: number) => void): Promise<number | undefined> {
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES && this.#waiting.size > 0)
      return Promise.resolve(undefined)
    if (!this.#ensureThread()) return Promise.resolve(undefined)
    const id = this.#nextId++
    return new Promise(settle => {
      this.#waiting.set(id, { bytes, settle })
      this.#waitingBytes += bytes
      send(id)
    })
  }

  #post(request: CountRequest, transfer: ArrayBuffer[] = []): void {
    this.#thread?.postMessage(request, transfer)
  }

  #ensureThread(): boolean {
    if (this.#thread) return true
    if (performance.now() < this.#restartAt || !hasSpareFiles()) return false
    const thread = this.#startThread()
    thread.onmessage = event => this.#settle(event.data as CountReply)
    thread.onerror = () => this.#lose(thread)
    thread.addEventListener('close', () => this.#lose(thread))
    this.#thread = thread
    this.#hasAnswered = false
    return true
  }

  #settle({ id, tokens }: CountReply): void {
    this.#hasAnswered = true
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    this.#waitingBytes -= waiting.bytes
    waiting.settle(tokens ?? undefined)
  }

  #lose(thread: Worker | undefined): void {
    if (!thread || thread !== this.#thread) return
    this.#thread = undefined
    if (!this.#hasAnswered) this.#restartAt = performance.now() + RESTART_AFTER_MS
    thread.terminate()
    for (const { settle } of this.#waiting.values()) settle(undefined)
    this.#waiting.clear()
    this.#waitingBytes = 0
  }
}

/** A thread that does not keep the process alive. */
export function startCountThread(): Worker {
  return new Worker(new URL('./count-thread.ts', import.meta.url), { smol: true, ref: false })
}
