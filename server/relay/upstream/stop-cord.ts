import type { Order } from '../order/order.ts'
import { asProblem } from '../problems.ts'
import { ClientGone } from '../stream/client-gone.ts'
import type { UpstreamCall } from './upstream-call.ts'

/** Ends a call that has no answer yet, when its client leaves, its money runs out, or something fails. */
export class StopCord {
  readonly #order: Order
  readonly #isHeardOut: boolean
  #upstream: UpstreamCall | undefined
  #stopped: unknown

  /** `isHeardOut`: an upstream that is being asked is waited for, whether or not there is still a client to answer. */
  constructor(order: Order, isHeardOut = false) {
    this.#order = order
    this.#isHeardOut = isHeardOut
    order.incoming.request.signal.addEventListener('abort', this.#onGone)
  }

  /** Before an upstream is asked: throws when the client has left by now, or the call was stopped. */
  check(): void {
    if (this.#stopped) throw this.#stopped
    if (this.#order.incoming.request.signal.aborted) throw new ClientGone()
  }

  readonly stop = (reason: unknown): void => {
    this.#stopped = reason
    this.#upstream?.stop(reason)
  }

  /** An upstream is being asked. */
  readonly opened = (upstream: UpstreamCall): void => {
    this.#upstream = upstream
    if (this.#stopped) upstream.stop(this.#stopped)
  }

  /** An answer has begun: from here on whoever hands it over ends it. */
  release(): void {
    this.#order.incoming.request.signal.removeEventListener('abort', this.#onGone)
  }

  /** Closes the upstream and gives back what was set aside. */
  async fail(error: unknown): Promise<void> {
    this.release()
    this.#upstream?.stop(error)
    const { status, message } = asProblem(error, this.#order.incoming)
    await this.#order.cancel(status, message)
  }

  readonly #onGone = (): void => {
    if (!this.#isHeardOut || !this.#upstream) this.stop(new ClientGone())
  }
}
