import { AppError } from '../errors.ts'

/** The clocks of one request, joined with the caller's own signal. */
export interface Deadline {
  readonly signal: AbortSignal | undefined
  /** The headers are here: only the whole-request clock still runs. */
  onHeaders(): void
  end(): void
}

const nothing = (): void => {}

/** Without a clock to keep, the caller's signal serves as it is: joining two costs microseconds. */
export function startDeadline(
  caller: AbortSignal | undefined,
  headersMs: number,
  wholeMs = Number.POSITIVE_INFINITY,
): Deadline {
  if (headersMs === Number.POSITIVE_INFINITY && wholeMs === Number.POSITIVE_INFINITY) {
    return { signal: caller, onHeaders: nothing, end: nothing }
  }
  const clock = new AbortController()
  const ringAfter = (ms: number) => {
    if (ms === Number.POSITIVE_INFINITY) return undefined
    return setTimeout(() => clock.abort(new AppError('outbound.timeout')), ms)
  }
  const headers = ringAfter(headersMs)
  const whole = ringAfter(wholeMs)
  return {
    signal: caller ? AbortSignal.any([caller, clock.signal]) : clock.signal,
    onHeaders: () => clearTimeout(headers),
    end() {
      clearTimeout(headers)
      clearTimeout(whole)
    },
  }
}

/** Waits for something that cannot itself be aborted. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    const done = () => signal.removeEventListener('abort', leave)
    work.then(resolve, reject).then(done, done)
  })
}
