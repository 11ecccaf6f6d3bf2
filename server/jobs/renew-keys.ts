import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import { renewKeys } from '../services/channels/renew-keys.ts'
import { countAttempt } from '../services/throttle.ts'

const EVERY_MS = 60_000
/** A little less than a minute, so that timers that are not quite even miss no turn. */
const TURN_SECONDS = 50

/** At the start and every minute one of all processes renews keys that end soon. */
export function startRenewingKeys(app: App): () => void {
  const turn = (): void => {
    takeTurn(app).catch(error => log.warn('keys could not be renewed; it is tried again', { error }))
  }
  turn()
  const timer = setInterval(turn, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function takeTurn(app: App): Promise<void> {
  if ((await countAttempt(app, 'job:renew-keys', TURN_SECONDS)) === 1) await renewKeys(app)
}
