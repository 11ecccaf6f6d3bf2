import type { TaskReport } from '../define.ts'
import type { BatchReport } from './host.ts'

/** What an upstream says of a batch, in the words of the records that people look through. */
export function asRecord(report: BatchReport): TaskReport {
  const { status, isOver, isDone, isQueued, completed, total, failReason, startedAt } = report
  return {
    outcome: isOver ? (isDone ? 'done' : 'failed') : 'running',
    status: isOver ? (isDone ? 'SUCCESS' : 'FAILURE') : isQueued ? 'QUEUED' : 'IN_PROGRESS',
    progress: isOver ? '100%' : `${total > 0 ? Math.min(100, Math.floor((completed / total) * 100)) : 0}%`,
    failReason: isOver && !isDone ? failReason || status : '',
    startedAt: startedAt * 1000,
    finishedAt: 0,
  }
}
