import type { JsonObject } from '../../dialects/json.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { Accepted } from '../submit.ts'
import { reportVideo } from './report-video.ts'

export const SUBMIT_MS = 120_000

/** A vendor's yes that says no more than what it calls the video. `seconds` is what it was told to make. */
export function acceptVideo(
  upstream: Upstream,
  upstreamId: string | undefined,
  seconds: number,
  body: JsonObject,
): Accepted {
  if (!upstreamId) throw new UpstreamFailure({ without: 'empty' })
  return { upstreamId, report: reportVideo(upstream, { status: 'queued', seconds }), calls: seconds, body }
}
