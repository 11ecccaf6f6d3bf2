import type { Transcript } from '../contents/transcript.ts'
import type { Incoming } from '../request/incoming.ts'
import { ClientGone } from './client-gone.ts'
import type { Piece } from './conveyor.ts'
import { releaseChunk } from './release-chunk.ts'

/** Bun's own sink: bytes go to the socket without another queue in between. */
export interface Sink {
  write(piece: Uint8Array | string): unknown
  flush(wait?: boolean): unknown
  close(error?: Error): unknown
}

/** Written without waiting for the client to take it. */
const MOST_UNFLUSHED = 64 * 1024
/** Of chunks whose memory could not be given back when they were done with. */
const COLLECT_EVERY = 8 * 1024 * 1024

/** The client's end of a streamed answer. A client that has left takes everything and keeps nothing. */
export class ClientSink {
  readonly #sink: Sink | undefined
  readonly #incoming: Incoming | undefined
  readonly #transcript: Transcript | undefined
  #unflushed = 0
  #littered = 0
  /** Ends a wait for the client. */
  #stopWaiting: ((reason: ClientGone) => void) | undefined
  /** Waiting for the client, and not for the upstream. */
  isDraining = false
  wroteAt = performance.now()

  constructor(sink: Sink | undefined, incoming?: Incoming) {
    this.#sink = sink
    this.#incoming = incoming
    this.#transcript = incoming?.transcript
  }

  write(piece: Piece): void {
    if (!this.#sink || piece.length === 0) return
    this.wroteAt = performance.now()
    if (this.#transcript) this.#transcript.hear(piece)
    try {
      if (typeof piece === 'string' || piece instanceof Uint8Array) this.#send(piece)
      else for (const part of piece) this.#send(part)
    } catch {
      // The client has left; its signal ends the rest.
    }
  }

  /** The runtime sends what was written when this turn of the loop ends. */
  #send(piece: Uint8Array | string): void {
    this.#sink?.write(piece)
    this.#unflushed += piece.length
  }

  /** A chunk is done with: everything of it was written, or copied, or is kept on purpose. */
  leaveBehind(chunk: Uint8Array, isFree: boolean): void {
    const { byteLength } = chunk
    if (isFree && releaseChunk(chunk)) return
    this.#littered += byteLength
    if (this.#littered < COLLECT_EVERY) return
    this.#littered = 0
    Bun.gc(false)
  }

  get isFull(): boolean {
    return this.#unflushed > MOST_UNFLUSHED && this.#sink !== undefined
  }

  /** Until the client has taken what was written: so a slow client slows its upstream, and nobody else. */
  async drain(): Promise<void> {
    this.#unflushed = 0
    this.isDraining = true
    const gone = new Promise<never>((_resolve, reject) => {
      this.#stopWaiting = reject
    })
    try {
      await Promise.race([this.#sink?.flush(true), gone])
    } finally {
      this.isDraining = false
      this.#stopWaiting = undefined
    }
  }

  /** Whoever waits for the client need not any more. */
  leave(): void {
    this.#stopWaiting?.(new ClientGone())
  }

  /** With an error the connection is broken, so that nobody takes the end for a good one. */
  close(error?: Error): void {
    this.#incoming?.letRest()
    try {
      if (error) this.#sink?.close(error)
      else this.#sink?.close()
    } catch {
      // It was closed from the other side.
    }
  }
}

/** A response whose body is written by `run` as it comes. `onGone` when the client leaves, also before it began. */
export function streamTo(
  incoming: Incoming,
  contentType: string,
  run: (sink: ClientSink) => Promise<void>,
  onGone: () => void,
  head: ResponseInit = { headers: eventHeaders(contentType) },
): Response {
  incoming.transcript?.answersIn(contentType)
  const { signal } = incoming.request
  incoming.trace?.keepOpen()
  signal.addEventListener('abort', onGone, { once: true })
  if (signal.aborted) onGone()
  if (incoming.carry) {
    incoming.carry(sink => run(new ClientSink(sink, incoming)))
    return new Response(null, head)
  }
  const source = {
    type: 'direct',
    pull: (sink: Sink) => run(new ClientSink(sink, incoming)),
    cancel: onGone,
  } as unknown as UnderlyingDefaultSource<Uint8Array>
  return new Response(new ReadableStream(source), head)
}

/** Nothing between here and the client may wait for the end of a stream, or keep it. */
export function eventHeaders(contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
}
