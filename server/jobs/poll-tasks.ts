import { log } from '../log.ts'
import type { RelayParts } from '../relay/parts.ts'
import { taskProviders } from '../tasks/index.ts'
import { POLL_SECONDS, pollTasks } from '../tasks/poll.ts'

/** Asks after the long jobs that are due; a turn that takes long is not overtaken by the next. */
export function startPollingTasks(parts: RelayParts): () => Promise<void> {
  let turn: Promise<unknown> | undefined
  const timer = setInterval(() => {
    turn ??= pollTasks(parts, taskProviders)
      .catch(error => log.warn('tasks could not be asked after; they are again', { error }))
      .finally(() => {
        turn = undefined
      })
  }, POLL_SECONDS * 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await turn
  }
}
