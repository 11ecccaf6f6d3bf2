import { AppError } from '../errors.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { TaskProvider } from './define.ts'
import { takeReport, timedOut } from './end-run.ts'
import { failedReport } from './failed-report.ts'
import { runStates, type TaskRun } from './runs.ts'

/** A task that its upstream has not known for so long will not come back. */
const FORGOTTEN_SECONDS = 1800
/** Nobody has asked when that time was over: then it is asked for this much longer, more than once. */
const UNASKED_SECONDS = 120
const AGAIN_SECONDS = 300

// What is not known any more has a deadline of its own, earlier than the one that every task has.

/** The upstream says that it has no such task. Some take a while to know what they have begun. */
export async function endForgotten(parts: RelayParts, provider: TaskProvider, run: TaskRun): Promise<void> {
  const now = parts.steadyNow()
  const last = lastDeadline(provider, run)
  if (last <= now) {
    await takeReport(parts, provider, run, timedOut(provider))
    return
  }
  if (run.deadline_at === last) return moveDeadline(parts, run, Math.min(last, now + FORGOTTEN_SECONDS))
  if (run.deadline_at > now) return
  if (run.deadline_at < now - UNASKED_SECONDS)
    return moveDeadline(parts, run, Math.min(last, now + AGAIN_SECONDS))
  const minutes = Math.round(FORGOTTEN_SECONDS / 60)
  await takeReport(parts, provider, run, failedReport(new AppError('task.forgotten', { minutes })))
}

/** The upstream knows it, still or again: it has all its time. */
export async function recall(parts: RelayParts, provider: TaskProvider, run: TaskRun): Promise<void> {
  const last = lastDeadline(provider, run)
  if (run.deadline_at !== last) await moveDeadline(parts, run, last)
}

function lastDeadline({ limitSeconds }: TaskProvider, run: TaskRun): number {
  return run.submitted_at + limitSeconds
}

async function moveDeadline({ store }: RelayParts, run: TaskRun, to: number): Promise<void> {
  await store.db
    .updateTable('task_runs')
    .set({ deadline_at: to })
    .where('id', '=', run.id)
    .where('state', '=', runStates.running)
    .execute()
}
