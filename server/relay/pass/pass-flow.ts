import type { Flow } from '../plain/flow.ts'
import type { Charging } from '../plain/flow-run.ts'
import { nothingSeen, type Seen } from '../plain/seen.ts'
import type { KeyVeil } from './key-veil.ts'

/**
 * Any answer, each piece of it as soon as it comes: nothing waits for its end, since all of it is paid by now. Only what may
 * be the beginning of a key does.
 */
export class PassFlow implements Flow {
  readonly seen: Seen = nothingSeen()
  readonly closing = false
  readonly problem = undefined
  readonly keepAlive = undefined
  readonly #veil: KeyVeil

  constructor(veil: KeyVeil) {
    this.#veil = veil
  }

  take(chunk: Uint8Array): Uint8Array | undefined {
    this.seen.bytes += chunk.byteLength
    const shown = this.#veil.take(chunk)
    return shown.byteLength === 0 ? undefined : shown
  }

  end(): boolean {
    return true
  }

  rest(): Uint8Array {
    return this.#veil.rest()
  }

  fail(): undefined {
    return undefined
  }
}

export const ONE_CALL = { calls: 1 } as const

/**
 * Whoever ends it, an answer that has begun is one call: its vendor has done the work by then. That it is to be paid is
 * on disk before its first byte goes out, so that there is nothing to add while it flows.
 */
export const oneCall: Charging = {
  certain: () => 0,
  usage: () => Promise.resolve(ONE_CALL),
}
