import { AppError } from '../../errors.ts'

/** What all files of one request may take together: bytes and time. */
export class MediaBudget {
  readonly signal: AbortSignal
  #bytes: number
  readonly #endsAt: number

  constructor(limits: { readonly bytes: number; readonly ms: number }, signal: AbortSignal) {
    this.signal = signal
    this.#bytes = limits.bytes
    this.#endsAt = performance.now() + limits.ms
  }

  get msLeft(): number {
    return Math.max(1, this.#endsAt - performance.now())
  }

  spend(bytes: number): void {
    this.#bytes -= bytes
    if (this.#bytes < 0) throw new AppError('relay.media', { detail: 'The files are too large together' })
  }
}
