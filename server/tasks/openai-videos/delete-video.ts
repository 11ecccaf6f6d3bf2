import { AppError } from '../../errors.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { OwnedCall, TaskProvider } from '../define.ts'
import { moveRun, type RunState, runStates } from '../runs.ts'
import { findVideo, upstreamOf } from './find-video.ts'

/** At its vendor, then here; its record stays. What it cost is not given back. */
export async function deleteVideo(call: OwnedCall, provider: TaskProvider): Promise<Response> {
  const { run } = await findVideo(call, provider)
  if (run.state !== runStates.done && run.state !== runStates.failed) throw new AppError('video.not-ended')
  call.incoming.keepOpen()
  try {
    const path = `/v1/videos/${encodeURIComponent(run.upstream_id)}`
    const response = await upstreamOf(call, provider, run).send({ method: 'DELETE', path })
    await response.body?.cancel()
  } catch (error) {
    // It may be gone already.
    if (!(error instanceof UpstreamFailure && error.problem?.status === 404)) throw error
  }
  await call.parts.store.transaction(transaction =>
    moveRun(transaction, run.id, run.state as RunState, runStates.deleted),
  )
  return Response.json({ id: run.id, object: 'video.deleted', deleted: true })
}
