import { dialects } from '../../dialects/index.ts'
import type { Problem } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { headersOf, signerOf, urlOf } from '../../providers/address-request.ts'
import { chooseEndpoint } from '../../providers/choose-endpoint.ts'
import { providerOf } from '../../providers/index.ts'
import type { Keeper } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import type { StoringDialect } from '../request/match-route.ts'
import type { Channel } from '../routing/channel.ts'
import type { Outgoing } from '../upstream/outgoing.ts'
import { outgoingHeaders, REPEATED } from '../upstream/outgoing-headers.ts'
import { signRequest } from '../upstream/sign-request.ts'
import { readRefusal } from '../upstream/upstream-call.ts'
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.ts'

const LOOK_MS = 30_000

export interface Asking {
  /** Responses', unless another is said. */
  readonly dialect?: StoringDialect
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** What stands behind the address at which answers are made, or behind the one beside it. */
  readonly path: string
  /** What is kept beside responses. */
  readonly beside?: 'conversations' | 'containers'
  readonly query?: readonly (readonly [name: string, value: string])[]
  readonly body?: { readonly bytes: string | Uint8Array<ArrayBuffer>; readonly type: string } | undefined
  /** Whatever it answers with is wanted. */
  readonly accept?: '*/*'
  /** It makes something: whoever asked for that may leave, and it is noted all the same. */
  readonly makes?: true
}

/** For what nobody waits for. */
export const nobody = new Request('http://nobody.invalid')

/** The same for whom it belongs to, who hears `unknown` when it is not there, or not there any more. */
export async function askForOwner(
  parts: RelayParts,
  request: Request,
  keeper: Keeper,
  asking: Asking,
  unknown: AppError,
): Promise<Response> {
  try {
    return await askKeeper(parts, request, keeper, asking)
  } catch (error) {
    throw asOwnersWords(error, unknown)
  }
}

/** Asks the channel that keeps what was made, with the key that it was made with. `request`: whose headers may go along. */
export async function askKeeper(
  parts: RelayParts,
  request: Request,
  { channel, key }: Keeper,
  asking: Asking,
): Promise<Response> {
  const { dialect = 'openai-responses', method, beside, body, accept } = asking
  const { provider, to, endpoint } = speaking(channel, key, dialect)
  if (!provider || endpoint?.dialect !== dialect || (beside && !endpoint.keeps))
    throw new UpstreamFailure({ problem: NOT_KEPT })
  const attempt = { channel, key, model: '' }
  const own = headersOf(provider, endpoint, to)
  if (accept) own.accept = accept
  const headers = outgoingHeaders(own, attempt, request, true, body?.type ?? '')
  // What is made here is noted as one of its own: its vendor must not tell of an earlier one instead.
  if (asking.makes) delete headers[REPEATED]
  const outgoing: Outgoing = {
    url: behind(urlOf(endpoint, to), asking),
    headers,
    body: body?.bytes,
    to,
    signer: signerOf(provider, endpoint),
    readProblem: endpoint.readProblem ?? dialects[dialect].readProblem,
  }
  const { signal } = asking.makes ? nobody : request
  const { proxy } = channel.setting
  try {
    const signed = await signRequest(parts, outgoing, attempt, { method, signal })
    const how = { policy: 'operator', method, headers: signed.headers, signal, timeoutMs: LOOK_MS } as const
    const response = await parts.outbound.fetch(signed.url, {
      ...how,
      ...(asking.makes ? { isFresh: true } : { mayRepeat: true }),
      ...(body && { body: outgoing.body }),
      ...(proxy ? { proxy } : {}),
    })
    if (response.ok) return response
    throw await readRefusal(response, outgoing, attempt)
  } catch (error) {
    throw asUpstreamFailure(error)
  }
}

/** Whether a channel's vendor keeps conversations and the like beside its responses. */
export function keepsBeside(channel: Channel): boolean {
  const { to, endpoint } = speaking(channel, channel.keys[0] ?? '', 'openai-responses')
  return to.baseUrl !== '' && endpoint?.keeps === true
}

/** How a channel is spoken to where responses are made. */
function speaking(channel: Channel, key: string, dialect: StoringDialect) {
  const provider = providerOf(channel.type)
  const { baseUrl = provider?.baseUrl ?? '', other, organization, setting } = channel
  // At this address no vendor asks which model it was.
  const to = { baseUrl, key, model: '', stream: false, other, organization }
  const endpoint = provider && chooseEndpoint(provider, dialect, { ...to, dialects: setting.dialects })
  return { provider, to, endpoint }
}

/** Where that is not spoken any more nothing is to be had. */
const NOT_KEPT: Problem = { status: 404, message: '' }

/** The vendor's own query stays. */
function behind(address: string, { beside, path, query = [] }: Asking): string {
  const url = new URL(address)
  if (beside) url.pathname = url.pathname.replace(/\/responses$/, `/${beside}`)
  url.pathname += path
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

/** That a key is no good is for the operator to know. */
export function asOwnersWords(failure: unknown, unknown: AppError): unknown {
  const status = failure instanceof UpstreamFailure ? failure.problem?.status : undefined
  if (status === 404) return unknown
  return status === 401 || status === 402 || status === 403
    ? new AppError('relay.upstream-failed', {}, failure)
    : failure
}
