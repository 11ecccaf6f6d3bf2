import type { LogView } from '../../../contract/logs.ts'

/** Looks, which are a second apart, between signs of life. */
const BEAT_EVERY = 8
/** Then the client comes back and proves itself again. */
const LONGEST_LOOKS = 300
/** A client that does not read is let go; it may come back. */
const MOST_WAITING = 1024 * 1024

const encoder = new TextEncoder()

/** One listener's events. Rows it has been sent are not sent again. */
export class TailStream {
  readonly #left: () => void
  readonly #body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #lastIds = new Set<number>()
  #looks = 0

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

  /** Called at every look. */
  beat(): void {
    this.#looks++
    if (this.#looks >= LONGEST_LOOKS) this.end()
    else if (this.#looks % BEAT_EVERY === 0) this.#write(': still here\n\n')
  }

  end(): void {
    const controller = this.#controller
    if (!controller) return
    this.#leave()
    controller.close()
  }

  #write(text: string): void {
    if (!this.#controller) return
    this.#controller.enqueue(encoder.encode(text))
    if ((this.#controller.desiredSize ?? 0) < -MOST_WAITING) this.end()
  }

  #leave(): void {
    this.#controller = undefined
    this.#left()
  }
}
