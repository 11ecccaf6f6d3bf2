import { AppError } from '../../errors.ts'

const MEGABYTE = 1024 * 1024

/** What all files of one request may take together: bytes and time. */
export class MediaBudget {
  readonly signal: AbortSignal
  readonly #most: number
  #bytes: number
  readonly #endsAt: number

  constructor(limits: { readonly bytes: number; readonly ms: number }, signal: AbortSignal) {
    this.signal = signal
    this.#most = limits.bytes
    this.#bytes = limits.bytes
    this.#endsAt = performance.now() + limits.ms
  }

  get msLeft(): number {
    return Math.max(1, this.#endsAt - performance.now())
  }

  spend(bytes: number): void {
    this.#bytes -= bytes
    if (this.#bytes < 0) throw new AppError('media.together', { most: this.#most / MEGABYTE })
  }
}
