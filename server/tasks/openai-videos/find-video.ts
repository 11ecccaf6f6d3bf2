import { asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskProvider } from '../define.ts'
import { findOwnRun, type TaskRun } from '../runs.ts'
import { keyOf } from '../submit.ts'
import { findTaskRows, type TaskRow } from '../task-rows.ts'

/** The caller's own video; somebody else's is as unknown as one that never was. */
export async function findVideo(
  { parts, params, admitted }: OwnedCall,
  { platform }: TaskProvider,
  id = params.id ?? '',
): Promise<{ run: TaskRun; row: TaskRow }> {
  const { userId } = admitted.caller
  const run = await findOwnRun(parts.store, platform, userId, id)
  const [row] = run && run.upstream_id !== '' ? await findTaskRows(parts, platform, userId, [id]) : []
  if (!run || !row) throw new AppError('video.not-found', { id })
  return { run, row }
}

/** Where it was made. */
export function upstreamOf({ parts, incoming }: OwnedCall, provider: TaskProvider, run: TaskRun): Upstream {
  const channel = parts.channels.byId(run.channel_id)
  if (!channel) throw new AppError('video.not-found', { id: run.id })
  const key = keyOf(parts, channel, run.key_hash) ?? ''
  return new Upstream(parts, provider, { channel, key }, incoming.request)
}

/** What it was ordered as. */
export function originalOf(row: TaskRow): { model: string; size: string; prompt: string; from: string } {
  const properties = parseObject(row.properties)
  return {
    model: asText(properties?.model) ?? '',
    size: asText(properties?.size) ?? '',
    prompt: asText(properties?.input) ?? '',
    from: asText(properties?.remixed_from) ?? '',
  }
}
