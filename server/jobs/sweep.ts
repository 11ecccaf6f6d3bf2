import { log } from '../log.ts'
import { sweepJobs } from '../relay/background/job-rows.ts'
import { sweepContainers } from '../relay/openai-kept/container-rows.ts'
import { sweepProofs } from '../services/accounts/proofs.ts'
import { sweepSessions } from '../services/accounts/sessions.ts'
import type { App } from '../services/app.ts'
import { readLastAudit, runAudit } from '../services/ledger-audit.ts'
import { clearContents } from '../services/logs/clear-contents.ts'
import { sweepOnce } from '../services/once.ts'
import { sweepFlows } from '../services/sign-in/flows.ts'
import { sweepKeptDays } from '../services/statistics/kept-days.ts'
import { sweepThrottles } from '../services/throttle.ts'
import { sweepRests } from '../store/channel-rests.ts'
import { ensureLogPartitions } from '../store/log-partitions.ts'
import { stepsOfNewer } from '../store/migrations/index.ts'
import { sweepStored } from '../store/stored-responses.ts'
import { sweepBatches } from '../tasks/batches/sweep-batches.ts'

const DAY = 86_400
const HOUR_MS = 3_600_000
/** A program that never lives an hour keeps house too. */
const FIRST_MS = 300_000
const LOOK_MS = 10_000
const VERSION_MS = 60_000

interface Swept extends Pick<App, 'store' | 'settings' | 'outbound' | 'now'> {
  /** What is gone is gone: a clock that jumps ahead must not hurry it. */
  steadyNow(): number
}

/** Hourly: the partitions of the log to come, what has run out of sessions, codes and the like, and the books. */
export function startSweeping(app: App & Swept): () => void {
  const keep = (): void => {
    keepHouse(app).catch(error => log.error('housekeeping broke off', { error }))
  }
  const look = (): void => {
    readLastAudit(app).catch(error => log.debug('the last audit could not be read', { error }))
  }
  const watch = async (): Promise<void> => {
    // Once is enough: it stays so.
    if (await tellOfNewer(app).catch(() => false)) clearInterval(watching)
  }
  const watching = setInterval(watch, VERSION_MS)
  look()
  const timers = [
    setTimeout(keep, FIRST_MS),
    setInterval(keep, HOUR_MS),
    setInterval(look, LOOK_MS),
    watching,
  ]
  for (const timer of timers) timer.unref()
  return () => timers.forEach(clearInterval)
}

/** Apart: without its partition the log would take no row, whatever else cannot be done. */
export async function keepHouse(app: Swept): Promise<void> {
  for (const part of [makePartitions, sweep])
    await part(app).catch(error => log.warn('housekeeping failed; it runs again in an hour', { error }))
}

async function makePartitions({ store, now }: Swept): Promise<void> {
  if (store.engine === 'postgres') await ensureLogPartitions(store.db, new Date(now() * 1000))
}

/** A node that was not stopped for an upgrade goes on as it is: what it writes lacks what the others count by. */
export async function tellOfNewer({ store }: Pick<Swept, 'store'>): Promise<boolean> {
  const newer = await stepsOfNewer(store.db)
  if (newer.length > 0)
    log.error(
      'a newer Tollgate has brought the database up to date while this one runs: stop this one, and start that version',
      { steps: newer.join(', ') },
    )
  return newer.length > 0
}

async function sweep(app: Swept): Promise<void> {
  await sweepSessions(app)
  await sweepThrottles(app)
  await sweepProofs(app)
  await sweepOnce(app)
  await sweepFlows(app)
  await sweepRests(app.store, app.now())
  await sweepStored(app.store, app.now())
  await sweepJobs(app.store, app.steadyNow())
  await sweepBatches(app.store, app.steadyNow())
  await sweepContainers(app.store, app.steadyNow())
  await clearContents(app.store, app.steadyNow() - app.settings.get('LogContentDays') * DAY)
  await sweepKeptDays(app.store, app.steadyNow())
  await runAudit(app)
}
