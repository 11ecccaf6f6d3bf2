import { AppError } from '../../errors.ts'
import { whyUnread } from '../../relay/request/read-body.ts'

/** What a client sends, chunk by chunk and under a limit, also when nobody wants the rest any more. */
export class Sending {
  readonly contentType: string
  readonly #request: Request
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #announced: number
  #limit = 0
  #received = 0

  constructor(request: Request, limit: number) {
    this.#request = request
    this.contentType = request.headers.get('content-type') ?? ''
    const coding = request.headers.get('content-encoding') ?? ''
    if (!/^\s*(identity)?\s*$/i.test(coding))
      throw new AppError('request.coding', { coding: coding.slice(0, 40) })
    this.#announced = Number(request.headers.get('content-length') ?? 0)
    this.allow(limit)
    this.#reader = request.body?.getReader()
  }

  /** No more than this, now that it is known what it is. */
  allow(limit: number): void {
    this.#limit = limit
    if (Math.max(this.#announced, this.#received) > limit) throw new AppError('request.too-large', { limit })
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#next(); chunk; chunk = await this.#next()) {
      this.#received += chunk.length
      if (this.#received > this.#limit) throw new AppError('request.too-large', { limit: this.#limit })
      yield chunk
      // What waits in the socket comes without a pause, and others want their turn.
      await Bun.sleep(0)
    }
  }

  /** The rest, unread. */
  async drain(): Promise<void> {
    try {
      for (let chunk = await this.#next(); chunk && this.#received <= this.#limit; chunk = await this.#next())
        this.#received += chunk.length
    } catch {
      // The client is gone.
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#reader?.read())?.value
    } catch (error) {
      throw whyUnread(new AppError('task.interrupted', {}, error), this.#request)
    }
  }
}
