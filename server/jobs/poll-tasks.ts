import { log } from '../log.ts'
import type { RelayParts } from '../relay/parts.ts'
import { within } from '../store/within.ts'
import { taskProviders } from '../tasks/index.ts'
import { pollBatches } from '../tasks/openai-batches/poll-batches.ts'
import { POLL_SECONDS, pollTasks } from '../tasks/poll.ts'

/** The output of a batch may take minutes to read; whoever starts next reads it again. */
const LEAVE_MS = 2000

/** Asks after the long jobs that are due. Batches by themselves: the others do not wait until one is paid. */
export function startPollingTasks(parts: RelayParts): () => Promise<void> {
  const tasks = repeat(() => pollTasks(parts, taskProviders))
  const batches = repeat(() => pollBatches(parts))
  return async () => {
    await tasks()
    await within(LEAVE_MS, batches()).catch(error =>
      log.debug('a batch was left for the next to pay', { error }),
    )
  }
}

/** A turn that takes long is not overtaken by the next. */
function repeat(poll: () => Promise<unknown>): () => Promise<void> {
  let turn: Promise<unknown> | undefined
  const timer = setInterval(() => {
    turn ??= poll()
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
