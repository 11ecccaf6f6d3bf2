import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import { pathOf, spokenBy } from './account.ts'

const IDLE_MS = 60_000

/** One result in each line; undefined when the vendor has none any more. */
export async function openResults(
  upstream: Upstream,
  batch: { readonly upstream_id: string },
  request?: Request,
): Promise<Response | undefined> {
  try {
    return await upstream.send({
      path: pathOf(batch, '/results'),
      headers: { ...spokenBy(request), accept: 'application/binary', 'accept-encoding': 'identity' },
      idleMs: IDLE_MS,
    })
  } catch (error) {
    if (error instanceof UpstreamFailure && error.problem?.status === 404) return undefined
    throw error
  }
}
