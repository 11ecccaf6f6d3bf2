import { AppError } from '../errors.ts'
import { CallGuard } from '../relay/guards/call-guard.ts'
import type { RelayParts } from '../relay/parts.ts'
import { splitList } from '../store/split-list.ts'
import type { TaskProvider, TaskReport } from './define.ts'
import { failedReport } from './failed-report.ts'
import type { TaskRun } from './runs.ts'

/**
 * What a job has written, by the rules for answers, before anybody sees it. One whose words are blocked has failed, and
 * costs nothing. Nobody else is asked about them: they come whenever their vendor is done.
 */
export function guardReport(
  { guards }: RelayParts,
  { words }: TaskProvider,
  run: TaskRun,
  report: TaskReport,
): TaskReport {
  if (guards.areIdle || !words || report.outcome === 'failed') return report
  const [group = '', ...groups] = splitList(run.groups)
  const rules = guards.for({ group, groups }, run.model)
  if (!rules?.output) return report
  const reading = words(run.action, report)
  try {
    return reading.written(CallGuard.alone(rules).readAnswerAlone(reading.places()))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failedReport(error)
  }
}
