import type { RelayParts } from '../relay/parts.ts'
import type { Channel } from '../relay/routing/channel.ts'

interface MadeBy {
  readonly channel: Channel | undefined
  readonly baseUrl: string | undefined
}

interface Fetching {
  readonly maxBytes: number
  readonly wholeMs: number
  readonly idleMs?: number
  readonly headers?: Record<string, string>
}

const MOST_STEPS = 3

/**
 * What an upstream made, from where it says that it lies. The upstream chose the address, so it is trusted no more
 * than a user's, unless it is the upstream itself. No key goes along.
 */
export async function fetchMade(
  parts: RelayParts,
  by: MadeBy,
  url: string,
  fetching: Fetching,
  steps = MOST_STEPS,
): Promise<Response> {
  const isUpstream = URL.parse(url)?.origin === URL.parse(by.baseUrl ?? '')?.origin
  const proxy = by.channel?.setting.proxy
  const response = await parts.outbound.fetch(url, {
    ...fetching,
    policy: isUpstream ? 'operator' : 'user',
    redirect: isUpstream ? 0 : steps,
    ...(proxy ? { proxy } : {}),
  })
  const next = isUpstream && isRedirect(response) ? response.headers.get('location') : null
  if (next === null || steps === 0) return response
  await response.body?.cancel()
  // Where it sends us is an address like any other, and judged as such.
  return fetchMade(parts, by, new URL(next, url).href, fetching, steps - 1)
}

export function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400
}
