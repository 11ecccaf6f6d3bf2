import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import { renewKeys } from '../services/channels/renew-keys.ts'
import { countAttempt } from '../services/throttle.ts'
import { within } from '../store/within.ts'

const EVERY_MS = 60_000
/** A little less than a minute, so that timers that are not quite even miss no turn. */
const TURN_SECONDS = 50
/** Much longer than a vendor takes. */
const LEAVE_MS = 10_000

/**
 * At the start and every minute one of all processes renews keys that end soon. Who ends begins no other, and waits for
 * the one that is being exchanged: its vendor may have taken the old one back already, and gives the new one once.
 */
export function startRenewingKeys(app: App): () => Promise<void> {
  const stopped = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const turn = (): void => {
    const taken = takeTurn(app, stopped.signal).catch(error =>
      log.warn('keys could not be renewed; it is tried again', { error }),
    )
    running = Promise.all([running, taken])
  }
  turn()
  const timer = setInterval(turn, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stopped.abort()
    await within(LEAVE_MS, running).catch(error =>
      log.warn('a vendor has not given a new key, and is not waited for any longer', { error }),
    )
  }
}

async function takeTurn(app: App, signal: AbortSignal): Promise<void> {
  if ((await countAttempt(app, 'job:renew-keys', TURN_SECONDS)) === 1) await renewKeys(app, signal)
}
