import { log } from '../log.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { TaskProvider } from './define.ts'
import type { TaskRun } from './runs.ts'

const HOOK_MS = 10_000
const MOST_AT_ONCE = 32
let underWay = 0

/**
 * Tells the owner's own address of a change, if the operator allows that. The address is a user's: only what
 * is open to the whole internet is called, nothing of its answer is used, and nobody waits for it.
 */
export function tellHook(parts: RelayParts, provider: TaskProvider, run: TaskRun): void {
  if (run.hook === '' || !provider.tellHook || !parts.settings.get('MjNotifyEnabled')) return
  if (underWay >= MOST_AT_ONCE) return
  underWay++
  send(parts, provider.tellHook, run)
    .catch(error => log.debug('the owner of a task could not be told', { task: run.id, error }))
    .finally(() => underWay--)
}

async function send(
  parts: RelayParts,
  describe: NonNullable<TaskProvider['tellHook']>,
  run: TaskRun,
): Promise<void> {
  const body = await describe(parts, run.id)
  if (!body) return
  const response = await parts.outbound.fetch(run.hook, {
    policy: 'user',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Tollgate' },
    body: JSON.stringify(body),
    timeoutMs: HOOK_MS,
    wholeMs: HOOK_MS,
  })
  await response.body?.cancel()
}
