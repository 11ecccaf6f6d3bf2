import { untilAborted } from '../../outbound/keep-time.ts'
import { ProofRefused } from '../../providers/proof-refused.ts'
import { signingTools } from '../../providers/signing-tools.ts'
import type { RelayParts } from '../parts.ts'
import type { Outgoing } from './outgoing.ts'
import { scrubProblem } from './scrub.ts'
import type { Attempt } from './try-channels.ts'
import { UpstreamFailure } from './upstream-failure.ts'

/** The same request with its proof. Who waits for a token may leave; others wait for the same one. */
export async function signRequest(
  { outbound }: Pick<RelayParts, 'outbound'>,
  outgoing: Outgoing,
  { channel }: Attempt,
  how: { readonly method: string; readonly signal: AbortSignal },
): Promise<Outgoing> {
  const { signer, to } = outgoing
  if (!signer) return outgoing
  const { proxy } = channel.setting
  const method = outgoing.socket ? 'GET' : how.method
  const request = { method, url: outgoing.url, headers: outgoing.headers, body: bytesOf(outgoing.body) }
  try {
    const proof = signer.sign(request, to, signingTools(outbound, proxy))
    const { url, headers } = proof instanceof Promise ? await untilAborted(proof, how.signal) : proof
    return {
      ...outgoing,
      url: url ?? outgoing.url,
      headers: headers ? { ...outgoing.headers, ...headers } : outgoing.headers,
    }
  } catch (error) {
    if (!(error instanceof ProofRefused)) throw error
    throw new UpstreamFailure({ problem: scrubProblem(error.problem, channel, outgoing.url) })
  }
}

/** A token may end before its time; then another is fetched, once. */
export function isStale({ signer, to }: Outgoing, reason: unknown): boolean {
  return reason instanceof UpstreamFailure && reason.problem?.status === 401 && signer?.forget?.(to) === true
}

/** Bodies are texts or bytes; a stream could not be signed. */
function bytesOf(body: Outgoing['body']): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body === undefined || body === null) return ''
  throw new TypeError('a body that cannot be signed')
}
