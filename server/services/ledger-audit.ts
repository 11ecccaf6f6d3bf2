import { type AuditReport, audit } from '../ledger/audit.ts'
import { listClosedMonths } from '../ledger/closing/closed-months.ts'
import { log } from '../log.ts'
import { gauge } from '../metrics.ts'
import type { Store } from '../store/index.ts'
import { readFact } from '../store/system-facts.ts'
import { putRow } from '../store/upsert.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { tellOperator } from './notices/operator-news.ts'
import { countAttempt } from './throttle.ts'

/** A little less than an hour, so that timers that are not quite even miss no turn. */
const HOURLY_SECONDS = 3500

/** Where the last audit stands for all processes: one of them makes it, every one of them is asked. */
const LAST_AUDIT = 'last-audit'

interface LastAudit {
  /** Seconds since 1970; 0 before the first. */
  readonly at: number
  readonly differences: number
}

let last: LastAudit = { at: 0, differences: -1 }
gauge(
  'tollgate_ledger_differences',
  'Differences the last audit of the books found, whoever made it; -1 before the first.',
  () => last.differences,
)
gauge('tollgate_ledger_audit_timestamp_seconds', 'When the books were last audited; 0: never.', () => last.at)

/** The hourly one. It reads every entry there is, so of all processes one makes it. */
export async function runAudit(app: Pick<App, 'store' | 'settings' | 'outbound' | 'now'>): Promise<void> {
  if ((await countAttempt(app, 'job:audit', HOURLY_SECONDS)) !== 1) return
  await auditBooks(app)
  const { differences } = last
  if (differences === 0) return
  const zh = `对账发现 ${differences} 处不符，请运行 npm run audit 查看差异和处理办法，单文件版为 tollgate audit`
  const en = `The books do not agree in ${differences} places: npm run audit shows where and what to do, or tollgate audit beside the executable alone.`
  tellOperator(app, {
    type: 'ledger_audit',
    title: '对账不符',
    content: `${zh}\n${en}`,
    values: [differences],
  })
}

/** What another process may have found since. */
export async function readLastAudit({ store }: Pick<App, 'store'>): Promise<void> {
  const text = await readFact(store.db, LAST_AUDIT)
  if (text !== undefined) last = JSON.parse(text) as LastAudit
}

async function auditBooks({ store, now }: Pick<App, 'store' | 'now'>): Promise<AuditReport> {
  const report = await store.patiently(db => audit(db, store.cipher))
  last = { at: now(), differences: report.checks.reduce((sum, { differences }) => sum + differences, 0) }
  if (last.differences > 0)
    log.error('the books do not agree', { differences: report.differences.slice(0, 10) })
  await tellOthers(store, last).catch(error => log.warn('the audit could not be noted', { error }))
  return report
}

async function tellOthers({ db, engine }: Store, audited: LastAudit): Promise<void> {
  await putRow(db, engine, 'system', { key: LAST_AUDIT }, { value: JSON.stringify(audited) })
}

export function auditHandlers(app: App): Handlers<'audit' | 'closedMonths'> {
  return {
    closedMonths: () => listClosedMonths(app.store),
    async audit() {
      const { checks, differences } = await auditBooks(app)
      return { checks: [...checks], differences: [...differences] }
    },
  }
}
