import { type AuditReport, audit } from '../ledger/audit.ts'
import { log } from '../log.ts'
import { gauge } from '../metrics.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { countAttempt } from './throttle.ts'

/** A little less than an hour, so that timers that are not quite even miss no turn. */
const HOURLY_SECONDS = 3500

/** −1 until the first audit of this process. */
let lastDifferences = -1
gauge(
  'tollgate_ledger_differences',
  'Differences the last audit of the books found; -1 before the first by this worker.',
  () => lastDifferences,
)

/** The hourly one. It reads every entry there is, so of all processes one makes it. */
export async function runAudit(app: Pick<App, 'store' | 'now'>): Promise<void> {
  if ((await countAttempt(app, 'job:audit', HOURLY_SECONDS)) === 1) await auditBooks(app)
}

async function auditBooks({ store }: Pick<App, 'store'>): Promise<AuditReport> {
  const report = await store.patiently(audit)
  lastDifferences = report.checks.reduce((sum, { differences }) => sum + differences, 0)
  if (lastDifferences > 0)
    log.error('the books do not agree', { differences: report.differences.slice(0, 10) })
  return report
}

export function auditHandlers(app: App): Handlers<'audit'> {
  return {
    async audit() {
      const { checks, differences } = await auditBooks(app)
      return { checks: [...checks], differences: [...differences] }
    },
  }
}
