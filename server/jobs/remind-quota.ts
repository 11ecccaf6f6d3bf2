import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import { remindLowQuota } from '../services/notices/quota-notices.ts'
import { countAttempt } from '../services/throttle.ts'

const EVERY_MS = 60_000
/** A little less than a minute, so that timers that are not quite even miss no turn. */
const TURN_SECONDS = 50

/** Every minute one of all processes looks for users whose quota has run low. */
export function startReminding(app: App): () => void {
  const timer = setInterval(() => {
    takeTurn(app).catch(error => log.warn('quota reminders failed; they are tried again', { error }))
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function takeTurn(app: App): Promise<void> {
  if ((await countAttempt(app, 'job:remind-quota', TURN_SECONDS)) === 1) await remindLowQuota(app)
}
