import { log } from '../log.ts'
import { sweepProofs } from '../services/accounts/proofs.ts'
import { sweepSessions } from '../services/accounts/sessions.ts'
import type { App } from '../services/app.ts'
import { runAudit } from '../services/ledger-audit.ts'
import { sweepFlows } from '../services/sign-in/flows.ts'
import { countAttempt, sweepThrottles } from '../services/throttle.ts'
import { ensureLogPartitions } from '../store/log-partitions.ts'

const HOUR_MS = 3_600_000
/** A little less than an hour, so that timers that are not quite even miss no turn. */
const AUDIT_SECONDS = 3500

type Swept = Pick<App, 'store' | 'now'>

/** Hourly housekeeping: the log's coming partitions, ended sessions, old attempt counters and codes, the books. */
export function startSweeping(app: App): () => void {
  const timer = setInterval(() => {
    sweep(app).catch(error => log.error('housekeeping broke off', { error }))
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const steps: Readonly<Record<string, (app: Swept) => Promise<unknown>>> = {
  partitions: makePartitions,
  sessions: sweepSessions,
  throttles: sweepThrottles,
  proofs: sweepProofs,
  flows: sweepFlows,
  audit: auditInTurn,
}

/** One step that fails keeps no other from being done: without its partition the log would take no row. */
export async function sweep(app: Swept): Promise<void> {
  for (const [step, work] of Object.entries(steps))
    await work(app).catch(error =>
      log.warn('a part of the housekeeping failed; it is done again in an hour', { step, error }),
    )
}

async function makePartitions({ store, now }: Swept): Promise<void> {
  if (store.engine === 'postgres') await ensureLogPartitions(store.db, new Date(now() * 1000))
}

/** It reads every entry there is, so of all processes one does it. */
async function auditInTurn(app: Swept): Promise<void> {
  if ((await countAttempt(app, 'job:audit', AUDIT_SECONDS)) === 1) await runAudit(app)
}
