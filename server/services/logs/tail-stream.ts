import type { LogView } from '../../../contract/logs.ts'

/** Between signs of life: often enough that a busy machine is not taken for a connection that rests. */
const BEAT_MS = 3000
/** Then the client comes back and proves itself again. */
const LONGEST_BEATS = 100
/** A client that does not read is let go; it may come back. */
const MOST_WAITING = 1024 * 1024

const encoder = new TextEncoder()

/** One listener's events. Rows it has been sent are not sent again. */
export class TailStream {
  readonly #left: () => void
  readonly #body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #lastIds = new Set<number>()
  /** Its own clock: a database that lets a look wait does not end the connection. */
  readonly #pulse: Timer
  #beats = 0

  constructor(left: () => void) {
    this.#left = left
    this.#body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller
        },
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0, size: chunk => chunk?.byteLength ?? 0 },
    )
    this.#write('retry: 2000\n\n')
    this.#pulse = setInterval(() => this.#beat(), BEAT_MS)
  }

  response(): Response {
    return new Response(this.#body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    })
  }

  send(rows: readonly LogView[]): void {
    const fresh = rows.filter(({ id }) => !this.#lastIds.has(id))
    if (fresh.length === 0) return
    this.#lastIds = new Set([...this.#lastIds, ...fresh.map(({ id }) => id)].slice(-1000))
    this.#write(fresh.map(row => `id: ${row.id}\ndata: ${JSON.stringify(row)}\n\n`).join(''))
  }

  end(): void {
    const controller = this.#controller
    if (!controller) return
    this.#leave()
    controller.close()
  }

  #beat(): void {
    this.#beats++
    if (this.#beats >= LONGEST_BEATS) this.end()
    else this.#write(': still here\n\n')
  }

  #write(text: string): void {
    if (!this.#controller) return
    this.#controller.enqueue(encoder.encode(text))
    if ((this.#controller.desiredSize ?? 0) < -MOST_WAITING) this.end()
  }

  #leave(): void {
    this.#controller = undefined
    clearInterval(this.#pulse)
    this.#left()
  }
}
