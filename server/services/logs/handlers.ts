import * as z from 'zod/mini'
import { type LogFilters, logView } from '../../../contract/logs.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { BackgroundWork } from '../background-work.ts'
import type { Caller, Handlers } from '../call.ts'
import { deliveredUpTo } from '../log-sinks/undelivered.ts'
import { KeptDays } from '../statistics/kept-days.ts'
import { clearLogs } from './clear-logs.ts'
import { DaysOfCalls } from './days-of-calls.ts'
import { DaysOfLabels } from './days-of-labels.ts'
import { exportLogs } from './export-logs.ts'
import { logsOfKey, searchLogs } from './find-logs.ts'
import { listLogs } from './list-logs.ts'
import { readFilter, readOwnFilter } from './log-filter.ts'
import { LogTail } from './log-tail.ts'
import { readContent } from './read-content.ts'
import { sumLogs } from './sum-logs.ts'
import { traceRequest } from './trace-request.ts'
import { viewLogs, viewOwnLog } from './view-logs.ts'

/** As a time in seconds it would be in thirty thousand years. */
const FIRST_IN_MILLISECONDS = 1_000_000_000_000

type LogHandlers = Handlers<
  | 'listLogs'
  | 'listOwnLogs'
  | 'logStat'
  | 'ownLogStat'
  | 'tokenLogs'
  | 'searchLogs'
  | 'searchOwnLogs'
  | 'clearLogs'
  | 'exportLogs'
  | 'exportOwnLogs'
  | 'tailLogs'
  | 'tailOwnLogs'
  | 'requestTrail'
  | 'logContent'
>

const ownLogs = z.array(logView)

export function logHandlers(app: App, work: BackgroundWork): LogHandlers {
  const { db, engine } = app.store
  const kept = new KeptDays(app.store, app.now)
  const days = new DaysOfCalls(db, engine, () => app.now(), kept)
  const labels = new DaysOfLabels(db, () => app.now(), kept)
  const source = { db, engine, days, labels }
  const tail = new LogTail(app)
  const own = (query: LogFilters, caller: Caller) => readOwnFilter(source, query, caller)
  return {
    async listLogs({ query }) {
      const list = await listLogs(source, await readFilter(source, query), query, 'admin')
      days.prepare().catch(error => log.warn('what the log has is not known beforehand', { error }))
      return list
    },
    listOwnLogs: async ({ query, caller }) => listLogs(source, await own(query, caller), query, 'owner'),
    logStat: async ({ query }) => sumLogs(db, await readFilter(source, query), app.now(), source),
    ownLogStat: async ({ query, caller }) => sumLogs(db, await own(query, caller), app.now(), source),
    async tokenLogs({ query, authorization, address }) {
      const key = query.key || (authorization ?? '').replace(/^bearer\s+/i, '')
      const rows = await logsOfKey(app, key, address)
      const data = ownLogs.parse(rows.map(viewOwnLog))
      return Response.json(
        { success: true, message: '', data },
        { headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' } },
      )
    },
    searchLogs: async ({ query }) => viewLogs(db, await searchLogs(app, query.keyword), 'admin'),
    async searchOwnLogs({ query, caller }) {
      return (await searchLogs(app, query.keyword, caller)).map(viewOwnLog)
    },
    async clearLogs({ query: { target_timestamp: target = 0 }, caller, address }) {
      if (target <= 0) throw new AppError('log.target-required')
      // Otherwise all of the log would be before it.
      if (target >= FIRST_IN_MILLISECONDS) throw new AppError('log.target-milliseconds')
      const before = Math.min(target, app.now())
      const upTo = await deliveredUpTo(app)
      const record = (found: { clearing: number } | { cleared: number }): Promise<void> => {
        const after = { before, ...found }
        return recordAudit(app, { caller, address }, { action: 'log.clear', subject: 'log', after })
      }
      // Also before: what has begun may break off, and its process with it.
      const begin = (clearing: number): Promise<void> => record({ clearing })
      const { rows, hasEnded } = await clearLogs(app.store, work, { before, upTo }, begin)
      if (hasEnded) await record({ cleared: rows })
      return rows
    },
    exportLogs: async ({ query }) => exportLogs(db, await readFilter(source, query), 'admin'),
    exportOwnLogs: async ({ query, caller }) => exportLogs(db, await own(query, caller), 'owner'),
    tailLogs: call => tail.open(call, 'admin', Number(call.query.after_id)),
    tailOwnLogs: call => tail.open(call, 'owner', Number(call.query.after_id)),
    requestTrail: ({ caller, params }) => traceRequest(app, caller, params.request_id ?? ''),
    logContent: ({ caller, address, params }) =>
      readContent(app, { caller, address }, params.request_id ?? ''),
  }
}
