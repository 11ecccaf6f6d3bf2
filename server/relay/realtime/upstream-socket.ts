import { closeReason, sendableCode } from './close-codes.ts'
import { type Frame, MOST_WAITING } from './frame.ts'

/** An upstream that does not answer our goodbye is left without one. */
const GOODBYE_MS = 5000

export interface UpstreamListener {
  frame(frame: Frame): void
  closed(code: number, reason: string): void
}

/** An upstream's end of a session. What comes before somebody listens is kept: upstreams speak first. */
export class UpstreamSocket {
  /** For cleaning what it says. */
  readonly url: string
  readonly #socket: Bun.WebSocket
  #listener: UpstreamListener | undefined
  #early: Frame[] = []
  #closed: CloseEvent | undefined

  constructor(url: string, socket: Bun.WebSocket) {
    this.url = url
    this.#socket = socket
    socket.binaryType = 'nodebuffer'
    socket.addEventListener('message', ({ data }: MessageEvent<Frame>) => {
      if (this.#listener) this.#listener.frame(data)
      else this.#early.push(data)
    })
    socket.addEventListener('close', event => {
      this.#closed = event
      this.#listener?.closed(event.code, event.reason)
    })
  }

  listen(listener: UpstreamListener): void {
    this.#listener = listener
    for (const frame of this.#early.splice(0)) listener.frame(frame)
    if (this.#closed) listener.closed(this.#closed.code, this.#closed.reason)
  }

  /** False when it takes less than it is sent. */
  send(frame: Frame): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN) return true
    this.#socket.send(frame)
    return this.#socket.bufferedAmount <= MOST_WAITING
  }

  close(code: number, reason = ''): void {
    if (this.#closed) return
    try {
      this.#socket.close(sendableCode(code), closeReason(reason))
      setTimeout(() => this.#closed ?? this.#socket.terminate(), GOODBYE_MS).unref()
    } catch {
      this.#socket.terminate()
    }
  }
}
