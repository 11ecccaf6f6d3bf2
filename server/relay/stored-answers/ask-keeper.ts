import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import { headersOf, signerOf, urlOf } from '../../providers/address-request.ts'
import { chooseEndpoint } from '../../providers/choose-endpoint.ts'
import { providerOf } from '../../providers/index.ts'
import type { Keeper } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Outgoing } from '../upstream/outgoing.ts'
import { outgoingHeaders } from '../upstream/outgoing-headers.ts'
import { signRequest } from '../upstream/sign-request.ts'
import { readRefusal } from '../upstream/upstream-call.ts'
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.ts'

const LOOK_MS = 30_000

interface Asking {
  readonly method: 'GET' | 'DELETE'
  /** What stands behind the address at which responses are made. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** What is said when it is not there, or not there any more. */
  readonly unknown: AppError
}

/** Asks the channel that keeps a response, with the key that it was made with. */
export async function askKeeper(
  parts: RelayParts,
  { request }: Incoming,
  { channel, key }: Keeper,
  { method, path, query, unknown }: Asking,
): Promise<Response> {
  const provider = providerOf(channel.type)
  const { baseUrl = provider?.baseUrl ?? '', other, organization, setting } = channel
  // At this address no vendor asks which model it was.
  const to = { baseUrl, key, model: '', stream: false, other, organization }
  const endpoint =
    provider && chooseEndpoint(provider, 'openai-responses', { ...to, dialects: setting.dialects })
  if (!provider || endpoint?.dialect !== 'openai-responses') throw unknown
  const attempt = { channel, key, model: '' }
  const outgoing: Outgoing = {
    url: behind(urlOf(endpoint, to), path, query),
    headers: outgoingHeaders(headersOf(provider, endpoint, to), attempt, request, true, ''),
    body: undefined,
    to,
    signer: signerOf(provider, endpoint),
    readProblem: endpoint.readProblem ?? dialects['openai-responses'].readProblem,
  }
  const { signal } = request
  const { proxy } = setting
  try {
    const { url, headers } = await signRequest(parts, outgoing, attempt, { method, signal })
    const how = { policy: 'operator', method, headers, signal, timeoutMs: LOOK_MS } as const
    const response = await parts.outbound.fetch(url, { ...how, ...(proxy ? { proxy } : {}) })
    if (response.ok) return response
    throw await readRefusal(response, outgoing, attempt)
  } catch (error) {
    throw asOwnersWords(asUpstreamFailure(error), unknown)
  }
}

/** The vendor's own query stays. */
function behind(address: string, path: string, query: Asking['query']): string {
  const url = new URL(address)
  url.pathname += path
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

/** That a key is no good is for the operator to know. */
function asOwnersWords(failure: unknown, unknown: AppError): unknown {
  const status = failure instanceof UpstreamFailure ? failure.problem?.status : undefined
  if (status === 404) return unknown
  return status === 401 || status === 402 || status === 403
    ? new AppError('relay.upstream-failed', {}, failure)
    : failure
}
