import type { RelayParts } from '../relay/parts.ts'
import { accountOf, Upstream } from './ask-upstream.ts'
import type { TaskProvider } from './define.ts'
import type { TaskRun } from './runs.ts'
import { keyOf } from './submit.ts'

/** Where a task is made, with the key of the account that knows it; undefined when its channel is gone. */
export function upstreamOf(
  parts: RelayParts,
  provider: Pick<TaskProvider, 'accounts'>,
  run: TaskRun,
  request?: Request,
): Upstream | undefined {
  const channel = parts.channels.byId(run.channel_id)
  const account = channel && accountOf(provider, channel)
  if (!account) return undefined
  return new Upstream(parts, account, { channel, key: keyOf(parts, channel, run.key_hash) ?? '' }, request)
}
