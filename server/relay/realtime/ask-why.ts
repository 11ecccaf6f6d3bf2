import { dialects } from '../../dialects/index.ts'
import type { Order } from '../order/order.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { readRefusal } from '../upstream/upstream-call.ts'
import type { UpstreamFailure } from '../upstream/upstream-failure.ts'

const WITHIN_MS = 5000

/** A handshake that was refused. */
interface Refusal {
  readonly url: string
  readonly headers: Record<string, string>
  readonly status: number
}

/**
 * The runtime throws away what an upstream says when it refuses a handshake, and that may tell a key that is
 * spent from a limit that passes. So it is asked for by a plain request; an answer with another status is about
 * something else. An upstream that has failed is not asked twice.
 */
export async function askWhy(
  { parts, incoming }: Order,
  attempt: Attempt,
  { url, headers, status }: Refusal,
  refused: UpstreamFailure,
): Promise<UpstreamFailure> {
  if (status >= 500) return refused
  const { proxy } = attempt.channel.setting
  const address = url.replace(/^ws/, 'http')
  try {
    const response = await parts.outbound.fetch(address, {
      policy: 'operator',
      headers,
      signal: incoming.request.signal,
      timeoutMs: WITHIN_MS,
      wholeMs: WITHIN_MS,
      ...(proxy ? { proxy } : {}),
    })
    const { readProblem } = dialects['openai-chat']
    const said = await readRefusal(response, { url: address, readProblem }, attempt)
    return response.status === status ? said : refused
  } catch {
    return refused
  }
}
