import { AppError } from '../../errors.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { OwnedCall } from '../define.ts'
import { moveRun, runStates } from '../runs.ts'
import { findVideo, makerOf } from './find-video.ts'

/** At its vendor, then here; its record stays. What it cost is not given back. */
export async function deleteVideo(call: OwnedCall): Promise<Response> {
  const { run } = await findVideo(call)
  if (run.state !== runStates.done && run.state !== runStates.failed) throw new AppError('video.not-ended')
  call.incoming.keepOpen()
  const { upstream, vendor } = makerOf(call.parts, run, call.incoming.request)
  try {
    await vendor.remove?.(upstream, run.upstream_id)
  } catch (error) {
    // It may be gone already.
    if (!(error instanceof UpstreamFailure && error.problem?.status === 404)) throw error
  }
  await call.parts.store.transaction(transaction =>
    moveRun(transaction, run.id, run.state, runStates.deleted),
  )
  return Response.json({ id: run.id, object: 'video.deleted', deleted: true })
}
