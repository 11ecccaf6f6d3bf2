import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import { countAttempt } from '../services/throttle.ts'
import { within } from '../store/within.ts'

const EVERY_MS = 60_000
/** A little less than a minute, so that timers that are not quite even miss no turn. */
const TURN_SECONDS = 50
/** Much longer than what is under way takes, as a rule. */
const LEAVE_MS = 10_000

interface Turns {
  /** By which all processes know it. */
  readonly name: string
  /** Whether somebody takes one at the start too. */
  readonly isAtOnce: boolean
  /** Begins nothing more once the signal is given. */
  readonly work: (app: App, signal: AbortSignal) => Promise<void>
}

/**
 * Every minute one of all processes does it. Who ends waits for what is under way: somebody else has given something for
 * it by then, or it is written down as done.
 */
export function keepTurns(app: App, { name, isAtOnce, work }: Turns): () => Promise<void> {
  const stopped = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const take = async (): Promise<void> => {
    try {
      if ((await countAttempt(app, `job:${name}`, TURN_SECONDS)) === 1) await work(app, stopped.signal)
    } catch (error) {
      log.warn('what is done every minute failed; it is tried again', { job: name, error })
    }
  }
  const turn = (): void => {
    running = Promise.all([running, take()])
  }
  if (isAtOnce) turn()
  const timer = setInterval(turn, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stopped.abort()
    await within(LEAVE_MS, running).catch(error =>
      log.warn('what is done every minute is not waited for any longer', { job: name, error }),
    )
  }
}
