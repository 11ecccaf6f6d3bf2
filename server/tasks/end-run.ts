import type { Transaction } from 'kysely'
import { logTypes } from '../../contract/log-types.ts'
import { AppError } from '../errors.ts'
import { refundCharge } from '../ledger/refund.ts'
import { log } from '../log.ts'
import { counter } from '../metrics.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Schema } from '../store/schema.ts'
import { UniqueViolation } from '../store/store-error.ts'
import type { TaskProvider, TaskReport } from './define.ts'
import { failedReport } from './failed-report.ts'
import { guardReport } from './guard-report.ts'
import { readProgress, updateRecord } from './records.ts'
import { lockRun, moveRun, runStates, type TaskRun } from './runs.ts'
import { tellHook } from './tell-hook.ts'

export const ended = counter('tollgate_tasks_ended_total', 'Long jobs that ended, by platform and outcome.')

/** The charge is not on the books yet, so it cannot be given back: ask again. */
class NotDecided extends Error {}

/**
 * Takes note of what became of a task. Whoever finds its end first ends it, on whichever node: the state, the
 * record and the refund are one transaction, and everybody else finds it ended. False: there was nothing new.
 */
export async function takeReport(
  parts: RelayParts,
  provider: TaskProvider,
  run: TaskRun,
  told: TaskReport,
): Promise<boolean> {
  const { store } = parts
  const report = guardReport(parts, provider, run, told)
  let isChanged: boolean
  try {
    isChanged = await store.transaction(async transaction => {
      if (report.outcome === 'running') return noteProgress(transaction, parts, provider, run, report)
      const to = report.outcome === 'done' ? runStates.done : runStates.failed
      if (!(await moveRun(transaction, run.id, run.state, to))) return false
      await updateRecord(transaction, provider.book, { id: run.id, report, now: parts.now() })
      if (report.outcome === 'failed') await refund(transaction, parts, provider, run)
      return true
    })
  } catch (error) {
    if (error instanceof NotDecided) return false
    // The books say that it was given back before.
    if (error instanceof UniqueViolation) {
      log.error('a task was to be refunded twice', { task: run.id })
      return false
    }
    throw error
  }
  if (isChanged && report.outcome !== 'running')
    ended.increment({ platform: provider.platform, outcome: report.outcome })
  if (isChanged) tellHook(parts, provider, run)
  return isChanged
}

async function noteProgress(
  transaction: Transaction<Schema>,
  { store, now }: RelayParts,
  provider: TaskProvider,
  run: TaskRun,
  report: TaskReport,
): Promise<boolean> {
  if ((await lockRun(transaction, store, run.id)) !== runStates.running) return false
  const known = await readProgress(transaction, provider.book, run.id)
  await updateRecord(transaction, provider.book, { id: run.id, report, now: now() })
  return known?.status !== report.status || known.progress !== report.progress
}

async function refund(
  transaction: Transaction<Schema>,
  { store, settings, now }: RelayParts,
  provider: TaskProvider,
  run: TaskRun,
): Promise<void> {
  const given = await refundCharge(transaction, store, now(), {
    requestId: run.request_id,
    channelId: run.channel_id,
    describe: amount => ({ type: logTypes.system, content: provider.refundText(run.id, quotaText(amount)) }),
  })
  if (given === undefined) throw new NotDecided()

  function quotaText(quota: number): string {
    if (!settings.get('DisplayInCurrencyEnabled')) return `${quota} 点额度`
    return `＄${(quota / settings.get('QuotaPerUnit')).toFixed(6)} 额度`
  }
}

export function timedOut(provider: TaskProvider): TaskReport {
  return failedReport(new AppError('task.timed-out', { minutes: Math.round(provider.limitSeconds / 60) }))
}
