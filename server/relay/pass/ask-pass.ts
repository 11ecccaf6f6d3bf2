import { AppError } from '../../errors.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import type { Order } from '../order/order.ts'
import type { FlowAnswer } from '../plain/ask-plain.ts'
import { hostsOf, namesSecret } from '../upstream/scrub.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamCall } from '../upstream/upstream-call.ts'
import { asUpstreamFailure } from '../upstream/upstream-failure.ts'
import { type ComposedPass, composePass, locationOf, rulesOf } from './compose-pass.ts'
import { KeyVeil } from './key-veil.ts'
import type { PassCall } from './pass-call.ts'
import { PassFlow } from './pass-flow.ts'
import { answerHeaders, isEvents } from './pass-headers.ts'
import { readPassedRefusal } from './passed-refusal.ts'
import { isReadable } from './read-texts.ts'

export interface WholePass {
  readonly kind: 'whole'
  readonly head: PassHead
  readonly body: Uint8Array | undefined
}

interface PassHead {
  readonly status: number
  readonly headers: Headers
}

export type PassAnswer = WholePass | FlowAnswer

/** What says that it is no longer comes whole or not at all; longer answers are handed on while they come. */
const LARGEST_WHOLE = 1024 * 1024
/** The same of what rules have to read. */
const LARGEST_READ = 32 * 1024 * 1024

/** One attempt: asks one upstream, and waits until an answer has begun that is no error. */
export async function askPass(
  order: Order,
  call: PassCall,
  attempt: Attempt,
  onOpen: (upstream: UpstreamCall) => void,
): Promise<PassAnswer> {
  const sent = rulesOf(attempt.channel).query ? call : { ...call, query: [] }
  const composed = composePass(order.incoming.request, sent, attempt)
  const upstream = new UpstreamCall(order, order.parts.settings.get('UpstreamAnswerSeconds') * 1000)
  onOpen(upstream)
  try {
    const body = call.body.send(upstream)
    const response = await upstream.send({ ...composed, body }, attempt, { method: call.method })
    if (response.status >= 400) throw await readPassedRefusal(response, composed, attempt)
    const answer = await readAnswer(order, call, { attempt, composed, upstream }, response)
    upstream.stopClock()
    return answer
  } catch (error) {
    const reason = upstream.stoppedFor ?? error
    upstream.stop(reason)
    // An upstream that waits for what a client does not send is not to blame.
    if (isTimeout(reason) && call.body.isAwaited) throw new AppError('request.slow-body')
    throw asUpstreamFailure(reason)
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof AppError && reason.code === 'outbound.timeout'
}

interface Asked {
  readonly attempt: Attempt
  readonly composed: ComposedPass
  readonly upstream: UpstreamCall
}

async function readAnswer(
  order: Order,
  call: PassCall,
  asked: Asked,
  response: Response,
): Promise<PassAnswer> {
  const { status, headers } = response
  const head = { status, headers: headersOf(call, asked, headers) }
  const announced = headers.get('content-length')
  if (call.method === 'HEAD' && announced !== null) head.headers.set('content-length', announced)
  const reader = hasBody(call, status) ? response.body?.getReader() : undefined
  if (!reader) return { kind: 'whole', head, body: undefined }
  const type = headers.get('content-type') ?? ''
  const isRead = order.guard?.rules.output !== undefined && isReadable(type) && !isEvents(headers)
  const most = isRead ? LARGEST_READ : LARGEST_WHOLE
  const isShort = announced !== null && Number(announced) <= LARGEST_WHOLE && !isEvents(headers)
  const first = await readFirst(reader, isRead || isShort ? most : 0)
  const veil = new KeyVeil(asked.attempt)
  if (first.ended) return { kind: 'whole', head, body: veil.whole(Buffer.concat(first.chunks)) }
  const carrier = new PassFlow(veil)
  const pieces = first.chunks.flatMap(chunk => carrier.take(chunk) ?? [])
  return { kind: 'flow', upstream: asked.upstream, reader, carrier, first: pieces, ended: false, type, head }
}

function hasBody({ method }: PassCall, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/** The beginning of it, of more than `most` bytes, or all of it. A connection that breaks is the channel's failure. */
async function readFirst(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  most: number,
): Promise<{ chunks: Uint8Array[]; ended: boolean }> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= most; ) {
    const { done, value } = await reader.read().catch(error => {
      throw asOutboundError(error)
    })
    if (done) return { chunks, ended: true }
    chunks.push(value)
    size += value.byteLength
  }
  return { chunks, ended: false }
}

function headersOf({ model }: PassCall, { attempt, composed }: Asked, headers: Headers): Headers {
  const { channel } = attempt
  const shown = answerHeaders(headers, channel, hostsOf(composed.address))
  const given = headers.get('location')
  const location = given === null ? undefined : locationOf(given, composed, channel, model)
  if (location !== undefined && !namesSecret(location, channel, [])) shown.set('location', location)
  return shown
}
