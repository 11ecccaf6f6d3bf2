import type { AppError } from '../errors.ts'
import type { TaskReport } from './define.ts'

/** A failure that no upstream told of, in the words of the records. */
export function failedReport(error: AppError | string): TaskReport {
  const failReason = typeof error === 'string' ? error : error.text('zh')
  return { outcome: 'failed', status: 'FAILURE', progress: '100%', failReason, startedAt: 0, finishedAt: 0 }
}
