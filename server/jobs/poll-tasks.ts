import { log } from '../log.ts'
import { pollJobs } from '../relay/background/poll-jobs.ts'
import type { RelayParts } from '../relay/parts.ts'
import { within } from '../store/within.ts'
import { pollBatches } from '../tasks/batches/poll-batches.ts'
import { lookAfterCaches } from '../tasks/gemini/caches/look-after-caches.ts'
import { batchHosts, taskProviders } from '../tasks/index.ts'
import { deleteLeft } from '../tasks/left-behind.ts'
import { lookAfterContainers } from '../tasks/openai-kept/containers/look-after-containers.ts'
import { POLL_SECONDS, pollTasks } from '../tasks/poll.ts'

/**
 * The output of a batch may take minutes to read, and a vendor half of one to answer, while the port is closed already.
 * Whoever starts next asks again.
 */
const LEAVE_MS = 2000
/** Nobody waits for what a deleted user leaves behind to be gone. */
const LEFT_SECONDS = 600

/** Asks after the long jobs that are due. Batches and responses by themselves: the others do not wait until one is paid. */
export function startPollingTasks(parts: RelayParts): () => Promise<void> {
  const tasks = repeat(() => pollTasks(parts, taskProviders))
  const batches = repeat(() => pollBatches(parts, batchHosts))
  const responses = repeat(() => pollJobs(parts))
  const caches = repeat(() => lookAfterCaches(parts))
  const containers = repeat(() => lookAfterContainers(parts))
  const left = repeat(() => deleteLeft(parts), LEFT_SECONDS)
  return async () => {
    const turns = [tasks, batches, responses, caches, containers, left].map(stop => stop())
    await within(LEAVE_MS, Promise.all(turns)).catch(error =>
      log.debug('what vendors were asked after was left for the next to ask', { error }),
    )
  }
}

/** A turn that takes long is not overtaken by the next. */
function repeat(poll: () => Promise<unknown>, seconds = POLL_SECONDS): () => Promise<void> {
  let turn: Promise<unknown> | undefined
  const timer = setInterval(() => {
    turn ??= poll()
      .catch(error => log.warn('tasks could not be asked after; they are again', { error }))
      .finally(() => {
        turn = undefined
      })
  }, seconds * 1000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await turn
  }
}
