import { log } from '../log.ts'
import { sweepProofs } from '../services/accounts/proofs.ts'
import { sweepSessions } from '../services/accounts/sessions.ts'
import type { App } from '../services/app.ts'
import { runAudit } from '../services/ledger-audit.ts'
import { sweepFlows } from '../services/sign-in/flows.ts'
import { sweepThrottles } from '../services/throttle.ts'
import { sweepRests } from '../store/channel-rests.ts'
import { ensureLogPartitions } from '../store/log-partitions.ts'

const HOUR_MS = 3_600_000

/** Hourly housekeeping: ended sessions, old attempt counters and codes, the books, the log's coming partitions. */
export function startSweeping(app: App): () => void {
  const timer = setInterval(() => {
    sweep(app).catch(error => log.warn('housekeeping failed; it runs again in an hour', { error }))
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function sweep(app: App): Promise<void> {
  await sweepSessions(app)
  await sweepThrottles(app)
  await sweepProofs(app)
  await sweepFlows(app)
  await sweepRests(app.store, app.now())
  await runAudit(app)
  if (app.store.engine === 'postgres') await ensureLogPartitions(app.store.db, new Date(app.now() * 1000))
}
